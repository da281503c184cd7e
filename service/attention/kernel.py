"""The arithmetic of attention maps, compiled: numpy's calls would cost more than these small matrices."""

from __future__ import annotations

import numpy as np

from service.compiled import compiled


@compiled(keeps_lock=True)
def read_map(
    attention: np.ndarray,
    slices: np.ndarray,
    shift: int,
    places: np.ndarray,
    num_sources: int,
    num_source_tokens: int,
    num_targets: int,
    least: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The map between tokens that raw `attention` [T, A, S + 1] gives, averaged over `slices` of A.

    `places` [N, 2] are where the source's subwords and tokens and the target's subwords and tokens lie, in that order.
    Row t + `shift` belongs to subword t; where there is none, the last row does. Returns weights [target tokens, source
    tokens], what each target token gives to the end token, and links [target tokens], see `strongest`.
    """
    first_target = num_sources + num_source_tokens
    sources = overlap_shares(places[:num_sources], places[num_sources:first_target])
    behind = first_target + num_targets
    targets = overlap_shares(places[first_target:behind], places[behind:])
    weights, end_mass = merged(attention, slices, shift, targets, sources)
    return weights, end_mass, strongest(weights, end_mass, least)


@compiled(keeps_lock=True)
def overlap_shares(spans: np.ndarray, words: np.ndarray) -> np.ndarray:
    """The share of each of `spans` [n, 2] that lies in each of `words` [m, 2], in order: [n, m], rows sum to 1.

    A span that overlaps no word belongs to the one behind it, or to the last.
    """
    shares = np.zeros((len(spans), len(words)))
    for i in range(len(spans) if len(words) > 0 else 0):
        start, end = spans[i, 0], spans[i, 1]
        total = 0
        for j in range(len(words)):
            overlap = min(end, words[j, 1]) - max(start, words[j, 0])
            if overlap > 0:
                shares[i, j] = overlap
                total += overlap
        if total > 0:
            for j in range(len(words)):
                shares[i, j] /= total
        else:
            behind = 0
            while behind < len(words) - 1 and words[behind, 1] <= start:
                behind += 1
            shares[i, behind] = 1.0
    return shares


@compiled(keeps_lock=True)
def merged(
    attention: np.ndarray, slices: np.ndarray, shift: int, targets: np.ndarray, sources: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """`attention` [T, A, S + 1], averaged over `slices` of A, summed over the source's subwords and averaged over the
    target's.

    `targets` [T, target tokens] and `sources` [S, source tokens] are shares. Gives weights [target tokens, source
    tokens] and what each target token gives to the last column.
    """
    num_targets, num_sources = targets.shape[1], sources.shape[1]
    weights, end_mass = np.zeros((num_targets, num_sources)), np.zeros(num_targets)
    sizes, mean, row = np.zeros(num_targets), np.zeros(attention.shape[2]), np.zeros(num_sources)
    first, behind = np.zeros(len(sources), np.int64), np.zeros(len(sources), np.int64)
    for s in range(len(sources)):  # a subword has a share of few tokens, side by side
        for k in range(num_sources):
            if sources[s, k] > 0.0:
                first[s], behind[s] = k if behind[s] == 0 else first[s], k + 1
    for t in range(len(targets)):
        for j in range(num_targets):
            sizes[j] += targets[t, j]
    for t in range(len(targets)):
        mean[:] = 0.0
        for each in slices:
            for s in range(len(mean)):
                mean[s] += attention[min(t + shift, len(attention) - 1), each, s]
        mean /= len(slices)
        row[:] = 0.0
        for s in range(len(sources)):
            for k in range(first[s], behind[s]):
                row[k] += mean[s] * sources[s, k]
        for j in range(num_targets):
            if targets[t, j] > 0.0:
                share = targets[t, j] / sizes[j]
                end_mass[j] += share * mean[-1]
                for k in range(num_sources):
                    weights[j, k] += share * row[k]
    for j in range(num_targets):
        if sizes[j] == 0.0:
            end_mass[j] = 1.0
    return weights, end_mass


@compiled(keeps_lock=True)
def strongest(weights: np.ndarray, end_mass: np.ndarray, least: float) -> np.ndarray:
    """The first largest column of each row of `weights`; -1 where it is below `least` or no more than `end_mass`."""
    best = np.full(len(weights), -1, dtype=np.int64)
    for j in range(len(weights)):
        for k in range(weights.shape[1]):
            if weights[j, k] > (weights[j, best[j]] if best[j] >= 0 else -1.0):
                best[j] = k
        if best[j] >= 0 and (weights[j, best[j]] < least or weights[j, best[j]] <= end_mass[j]):
            best[j] = -1
    return best


@compiled(keeps_lock=True)
def with_leftovers(
    linked: np.ndarray, weights: np.ndarray, source_words: np.ndarray, target_words: np.ndarray, least: float
) -> np.ndarray:
    """`linked` [target tokens], see `strongest`, and links between words without one: a target word to the first source
    word that it attends to most by `weights` [target tokens, source tokens], which are of another slice.

    `source_words` and `target_words` tell words from punctuation. A weight below `least` makes no link.
    """
    free, found = source_words.copy(), linked.copy()
    for source in linked:
        if source >= 0:
            free[source] = False
    for j in range(len(linked)):
        if linked[j] < 0 and target_words[j]:
            best = -1
            for k in range(len(free)):
                if free[k] and (best < 0 or weights[j, k] > weights[j, best]):
                    best = k
            if best >= 0 and weights[j, best] >= least:
                found[j] = best
    return found


@compiled(keeps_lock=True)
def entropy_and_columns(weights: np.ndarray, end_mass: np.ndarray) -> tuple[float, np.ndarray]:
    """The normalised entropy of rows, each a row of `weights` [T, S] and its `end_mass`; and the sums of the columns.

    Entropy is the mean over rows, divided by its largest value, log (S + 1): 0 looks at one place, 1 everywhere alike.
    """
    num_rows, num_columns = weights.shape
    columns, entropy = np.zeros(num_columns), 0.0
    for j in range(num_rows):
        for k in range(num_columns):
            columns[k] += weights[j, k]
            entropy -= surprise(weights[j, k])
        entropy -= surprise(end_mass[j])
    if num_rows == 0 or num_columns == 0:
        return 0.0, columns
    return entropy / num_rows / np.log(num_columns + 1.0), columns


@compiled(keeps_lock=True)
def surprise(share: float) -> float:
    """p log p, 0 for 0."""
    return min(share, 1.0) * np.log(min(share, 1.0)) if share > 1e-12 else 0.0


@compiled(keeps_lock=True)
def rounded(weights: np.ndarray, scale: float) -> np.ndarray:
    """`weights`, each rounded to a multiple of 1 / `scale`."""
    near = np.empty(weights.shape)
    for j in range(weights.shape[0]):
        for i in range(weights.shape[1]):
            near[j, i] = np.rint(weights[j, i] * scale) / scale
    return near
