# SPDX-License-Identifier: BSD-3-Clause
"""Random images for tests."""
from ... import _C
from .vision import VisionDataset


class FakeData(VisionDataset):
    """Random images with random labels; an index always gives the same image."""

    def __init__(self, size=1000, image_size=(3, 224, 224), num_classes=10, transform=None, target_transform=None,
                 random_offset=0):
        super().__init__(transform=transform, target_transform=target_transform)
        self.size, self.num_classes, self.image_size, self.random_offset = size, num_classes, image_size, random_offset

    def __getitem__(self, index):
        from ..transforms import functional
        if index >= len(self):
            raise IndexError(f"{type(self).__name__} index out of range")
        state = _C.get_rng_state()
        _C.manual_seed(index + self.random_offset)
        image, target = _C.randn(*self.image_size), _C.randint(0, self.num_classes, size=(1,), dtype=_C.long)[0]
        _C.set_rng_state(state)
        return self._item(functional.to_pil_image(image), target.item())

    def __len__(self):
        return self.size
