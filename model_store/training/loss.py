"""Label-smoothed cross-entropy fused with the output projection, of what text says and of what a teacher says."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

CHUNK_ROWS = 512
"""Rows projected at a time: their logits stay in the processor's cache instead of going through memory."""
CHUNK_ROWS_GPU = 8192
"""The same on a GPU, which many small products keep waiting."""
ROWS_STEP = 128
"""The last chunk's products are padded to a multiple of these: oneDNN compiles a product of bfloat16 anew for each
number of rows, which takes longer than the product."""


class Taught(NamedTuple):
    """What a teacher says about the same rows: softmax(hidden @ weight.T + bias)."""

    hidden: Tensor
    """[rows, H of the teacher]"""
    weight: Tensor
    """[V, H of the teacher]"""
    bias: Tensor
    """[V]"""
    share: float
    """Of the teacher in what the rows should say; the rest is the label's."""

    def probabilities(self, start: int, end: int) -> Tensor:
        """Of the vocabulary in rows `start` to `end`: [end - start, V], in the type of `weight`."""
        rows, kind = self.hidden[start:end], self.hidden.dtype
        logits = torch.addmm(self.bias.to(kind), rows, self.weight.to(kind).t()).to(self.weight.dtype)
        return torch.softmax(logits, dim=-1)


class ProjectedCrossEntropy(torch.autograd.Function):
    """Sum over rows of the label-smoothed cross-entropy (Szegedy et al. 2016, section 7) of hidden @ weight.T + bias.

    The gradient of softmax needs nothing but the probabilities, so forward computes it chunk by chunk; the logits
    [rows, V] never exist as a whole. Products are in the type of `hidden`, sums and softmax in that of `weight`.
    """

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, smoothing: float, taught: Taught | None
    ) -> tuple[Tensor, Tensor]:
        told = 1.0 - (taught.share if taught else 0.0)  # share of the label
        factor, offset = weight.to(hidden.dtype), bias.to(hidden.dtype)
        grad_hidden = torch.empty_like(hidden)
        grad_weight, grad_bias = torch.zeros_like(weight), torch.zeros_like(bias)
        total_nll = weight.new_zeros(())
        total_log_probs = weight.new_zeros(())  # over rows and the whole vocabulary
        total_taught = weight.new_zeros(())  # cross-entropy with the teacher
        vocabulary_size, weight_sum, bias_sum = weight.shape[0], weight.sum(0), bias.sum()
        chunk_rows = CHUNK_ROWS_GPU if hidden.is_cuda else CHUNK_ROWS
        for start in range(0, len(hidden), chunk_rows):
            end = min(start + chunk_rows, len(hidden))
            rows, chosen = hidden[start:end], labels[start:end, None]
            padded = functional.pad(rows, (0, 0, 0, -len(rows) % ROWS_STEP))
            logits = torch.addmm(offset, padded, factor.t())[: len(rows)].to(weight.dtype)
            chosen_logits = logits.gather(1, chosen)
            wanted = taught.probabilities(start, end) if taught else None
            if wanted is not None:
                total_taught -= torch.linalg.vecdot(wanted, logits).sum()
            probs = torch.softmax(logits, dim=-1, out=logits)
            nll = -probs.gather(1, chosen).log()
            normaliser = chosen_logits + nll
            total_nll += nll.sum()
            all_logits = (rows.to(weight.dtype) @ weight_sum).sum() + bias_sum * len(rows)
            normalisers = normaliser.sum()
            total_log_probs += all_logits - vocabulary_size * normalisers
            total_taught += normalisers
            if any(ctx.needs_input_grad):
                grad = probs.scatter_add_(1, chosen, probs.new_full((len(chosen), 1), told * (smoothing - 1.0)))
                if wanted is not None:
                    grad.sub_(wanted, alpha=1.0 - told)
                grad_bias += grad.sum(0)
                grad = functional.pad(grad.to(hidden.dtype), (0, 0, 0, len(padded) - len(rows)))
                grad_hidden[start:end] = (grad @ factor)[: len(rows)]
                grad_weight += grad.t() @ padded
        spread = told * smoothing / vocabulary_size
        grad_hidden -= (spread * weight_sum).to(hidden.dtype)
        grad_weight -= spread * hidden.to(weight.dtype).sum(0)
        grad_bias -= spread * len(hidden)
        total = told * (1.0 - smoothing) * total_nll - spread * total_log_probs + (1.0 - told) * total_taught
        ctx.save_for_backward(grad_hidden, grad_weight, grad_bias)
        ctx.mark_non_differentiable(total_nll)
        return total, total_nll

    @staticmethod
    def backward(ctx: Any, grad_total: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        grad_hidden, grad_weight, grad_bias = ctx.saved_tensors
        return grad_hidden * grad_total, grad_weight * grad_total, grad_bias * grad_total, None, None, None


def projected_cross_entropy(
    hidden: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, smoothing: float, taught: Taught | None = None
) -> tuple[Tensor, Tensor]:
    """Sums over the rows of `hidden` [rows, H], `labels` [rows]: smoothed loss (differentiable), plain nll.

    `smoothing` in [0, 1) is the probability mass that is spread evenly over the vocabulary. With `taught` the loss is
    the cross-entropy with the label and the teacher, each by its share (Hinton et al. 2015, arXiv:1503.02531). Under
    autocast products are in its type.
    """
    device = hidden.device.type
    if torch.is_autocast_enabled(device):
        hidden = hidden.to(torch.get_autocast_dtype(device))
        taught = taught and taught._replace(hidden=taught.hidden.to(hidden.dtype))
    total, nll = ProjectedCrossEntropy.apply(hidden.contiguous(), weight, bias, labels, smoothing, taught)
    return total, nll
