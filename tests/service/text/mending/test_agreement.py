"""Verbs behind two names."""

from __future__ import annotations

import time

import pytest

from service.text.mending.agreement import with_plural_verbs

A, B = "\ue000", "\ue001"
COPIES = ((A, "Kate"), (B, "Google"))


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fr", "Tom et A a visité B.", "Tom et A ont visité B."),
        ("fr", "A et B recrute. A et B n'est pas là.", "A et B recrutent. A et B ne sont pas là."),
        ("fr", "Anna, Tom et A s'est marié en mai.", "Anna, Tom et A se sont mariés en mai."),
        ("fr", "A et M. Petit était là.", "A et M. Petit étaient là."),
        ("fr", "A et B viendra.", "A et B viendront."),
        ("fr", "Il voit Tom et A a froid.", "Il voit Tom et A a froid."),
        ("fr", "Tom et A ont froid. A et B, a-t-il dit", "Tom et A ont froid. A et B, a-t-il dit"),
        ("fr", "Tom et Marie a froid.", "Tom et Marie ont froid."),
        ("de", "Tom und A besuchte B.", "Tom und A besuchten B."),
        ("de", "Tom und A hat er gesehen.", "Tom und A hat er gesehen."),
        ("de", "A und B hob alle Preise an.", "A und B hoben alle Preise an."),
        ("de", "Tom und A half seine Mutter, A rief jemand.", "Tom und A half seine Mutter, A rief jemand."),
        ("de", "Tom und A hat B gesehen.", "Tom und A haben B gesehen."),
        ("en", "A and B is hiring.", "A and B are hiring."),
        ("en", "Research and Development is here.", "Research and Development is here."),
        ("fr", "Roméo et Juliette est une pièce.", "Roméo et Juliette est une pièce."),
        ("fr", "Marc et son frère est parti.", "Marc et son frère sont partis."),
        ("de", "Marc und seine Frau ging weg.", "Marc und seine Frau gingen weg."),
        ("de", "Mein Freund und Kollege Tom ist krank.", "Mein Freund und Kollege Tom ist krank."),
        ("de", "Tag und Nacht arbeitet Tom. Mit Tom und A ist es", "Tag und Nacht arbeitet Tom. Mit Tom und A ist es"),
        ("de", "Tom und Peter heute im Kino", "Tom und Peter heute im Kino"),
        ("fr", "Tom et A est ici, Tom et A est-il là ?", "Tom et A sont ici, Tom et A est-il là ?"),
        ("fr", "J'ai vu M. Martin et A a ri.", "J'ai vu M. Martin et A a ri."),
        ("fr", "Merci Tom et Marie a dit oui.", "Merci Tom et Marie a dit oui."),
        ("fr", "Guerre et Paix a été écrit.", "Guerre et Paix a été écrit."),
        ("en", "Call A and Tom is ready.", "Call A and Tom is ready."),
        ("de", "Peter und Anna wird geholfen, Tom und A", "Peter und Anna wird geholfen, Tom und A"),
        ("de", "Peter und Anna geht's gut.", "Peter und Anna geht's gut."),
        ("fr", "Marie et Paul rencontra Jean.", "Marie et Paul rencontra Jean."),
        (
            "fr",
            "Paul et Marie n'est pas arrivé. Tom et A est mort.",
            "Paul et Marie ne sont pas arrivés. Tom et A sont morts.",
        ),
        ("fr", "Paul et Marie s'est parlé.", "Paul et Marie se sont parlé."),
        ("de", "Leipzig und Paris hat genug.", "Leipzig und Paris haben genug."),
        ("it", "A e B ha", "A e B ha"),
    ],
)
def test_the_verb_of_two_names_is_in_the_plural(language: str, text: str, expected: str) -> None:
    signs = str.maketrans({"A": A, "B": B})
    masked = text.replace("Anna", "\ue002").translate(signs).replace("\ue002", "Anna")
    written, _ = with_plural_verbs(masked, [], language, COPIES)
    assert written == expected.replace("Anna", "\ue002").translate(signs).replace("\ue002", "Anna")


def test_long_lists_take_no_time() -> None:
    for text in ("A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y und Z.", "A. B, " * 300):
        start = time.perf_counter()
        with_plural_verbs(text + " und b ist c", [], "de", COPIES)
        assert time.perf_counter() - start < 1.0


@pytest.mark.parametrize(
    ("language", "copy", "text", "expected"),
    [
        ("fr", "Les ann\xe9es 1990", "A \xe9tait bien.", "A \xe9taient bien."),
        ("fr", "les ann\xe9es 1990", "Oui. A a vu de tout.", "Oui. A ont vu de tout."),
        ("de", "Die fr\xfchen 1990er-Jahre", "A war eine Zeit.", "A waren eine Zeit."),
        ("fr", "Les ann\xe9es 1990", "Qui A a connu ? Dans A a lieu", "Qui A a connu ? Dans A a lieu"),
        ("fr", "Le d\xe9but des ann\xe9es 1990", "A \xe9tait dur.", "A \xe9tait dur."),
    ],
)
def test_decades_have_a_plural(language: str, copy: str, text: str, expected: str) -> None:
    assert with_plural_verbs(text.replace("A", A), [], language, [(A, copy)])[0] == expected.replace("A", A)
