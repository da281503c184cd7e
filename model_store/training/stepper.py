"""Run a torch architecture through the same seam as an exported bundle."""

from __future__ import annotations

import numpy as np
import torch

from model_store.architectures.base import Architecture
from model_store.contract.state import Lifetime
from model_store.decoding.stepper import State, StepResult


class TorchStepper:
    """A `StepModel` over a torch architecture in evaluation mode."""

    def __init__(self, model: Architecture) -> None:
        self._model = model.eval()
        self._specs = model.state_specs()
        self._device = model.output_bias().device

    @torch.inference_mode()
    def encode(self, source_ids: np.ndarray, source_mask: np.ndarray, capacity: int) -> State:
        """See `StepModel.encode`."""
        encoded = self._model.encode(self._tensor(source_ids), self._tensor(source_mask))
        state = {name: tensor.cpu().numpy() for name, tensor in encoded.items()}
        for spec in self._specs:
            if spec.lifetime is Lifetime.GROWING:
                shape = [capacity if axis == "T" else int(axis) for axis in spec.axes]
                state[spec.name] = np.zeros((len(source_ids), *shape), dtype=spec.dtype)
        return state

    @torch.inference_mode()
    def step(self, token_ids: np.ndarray, position: np.ndarray, source_mask: np.ndarray, state: State) -> StepResult:
        """See `StepModel.step`."""
        tensors = {name: self._tensor(array) for name, array in state.items()}
        out = self._model.step(self._tensor(token_ids), self._tensor(position), self._tensor(source_mask), tensors)
        log_probs = torch.log_softmax(out.logits, dim=-1).cpu().numpy()
        grown = {name: tensor.cpu().numpy() for name, tensor in out.state.items()}
        shape = len(token_ids), 0, source_mask.shape[1]
        attention = np.zeros(shape, np.float32) if out.attention is None else out.attention.cpu().numpy()
        return StepResult(log_probs, attention, {**state, **grown})

    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).to(self._device)
