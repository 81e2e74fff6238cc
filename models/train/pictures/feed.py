"""Training pairs from several processes, kept in a pool that training draws from at its own pace.

Degrading takes 10 ms of processor a pair, a graphics processor's step a fraction of that. So a pair is drawn
about once or twice, mirrored by chance.
"""

import threading
from typing import Iterator

import numpy as np
import torch
from torch.utils.data import DataLoader, get_worker_info, IterableDataset

from data import PairSampler, Portraits
from model.trainer import best_device

CHUNK = 32
"""Pairs that arrive together."""


class PairStream(IterableDataset):
    """Endless chunks of CHUNK x 2 (degraded, sharp) x height x width x 3, 8-bit; others in each process."""

    def __init__(self, portraits: Portraits, seed: int):
        super().__init__()
        self._portraits = portraits
        self._seed = seed

    def __iter__(self) -> Iterator[torch.Tensor]:
        worker = get_worker_info()
        sampler = PairSampler(self._portraits, self._seed * 1000 + (worker.id if worker else 0))
        while True:
            yield torch.from_numpy(np.stack([np.stack(sampler.pair()) for _ in range(CHUNK)]))


class Pool:
    """The last `capacity` pairs, filled by a thread; `drawn` and `arrived` count pairs."""

    def __init__(self, stream: IterableDataset, workers: int, capacity: int):
        # The processes begin before this one uses a graphics processor.
        self._chunks = iter(DataLoader(stream, batch_size=None, num_workers=workers, prefetch_factor=4))
        first = next(self._chunks)
        self._capacity = capacity // CHUNK * CHUNK
        self._pairs = torch.empty(self._capacity, *first.shape[1:], dtype=torch.uint8, device=best_device())
        self._pairs[:CHUNK] = first.to(self._pairs.device)
        self.arrived, self.drawn = CHUNK, 0
        self._stopping = False
        self._thread = threading.Thread(target=self._fill, daemon=True)
        self._thread.start()

    def _fill(self) -> None:
        for chunk in self._chunks:
            if self._stopping:
                return
            start = self.arrived % self._capacity
            # One copy, so that no pair is ever half replaced.
            self._pairs[start : start + CHUNK] = chunk.to(self._pairs.device)
            self.arrived += CHUNK

    def wait(self, pairs: int) -> None:
        """Until so many have arrived."""
        ready = threading.Event()
        while self.arrived < min(pairs, self._capacity):
            ready.wait(0.05)

    def draw(self, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Degraded and sharp pictures in 0..1."""
        self.drawn += size
        indices = torch.randint(min(self.arrived, self._capacity), (size,), device=self._pairs.device)
        pairs = self._pairs[indices].permute(1, 0, 4, 2, 3).float() / 255
        mirrored = torch.rand(size, 1, 1, 1, device=pairs.device) < 0.5
        degraded, sharp = (torch.where(mirrored, each.flip(3), each).contiguous() for each in pairs)
        return degraded, sharp

    def stop(self) -> None:
        self._stopping = True
        self._thread.join()
