# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and poolings by the letters in their names, one output element
after the other. Imported by convolution.py and pooling.py."""
import itertools

import numpy as np

SIZES = {"n": 2, "g": 2, "c": 3, "d": 4, "h": 5, "w": 7, "f": 2, "m": 2}
WINDOW = {"d": 2, "h": 2, "w": 3}
STRIDES = {"d": 1, "h": 1, "w": 2}
DILATIONS = {"d": 2, "h": 2, "w": 1}


class Windows:
    """What lies under each element of the output."""

    def __init__(self, inputs, kernel, output, is_plain=False):
        self.letters = inputs, kernel, output
        self.strides = dict.fromkeys("dhw", 1) if is_plain else STRIDES
        self.dilations = dict.fromkeys("dhw", 1) if is_plain else DILATIONS

    def input_shape(self):
        return tuple(SIZES[l] for l in self.letters[0])

    def kernel_shape(self):
        return tuple(WINDOW.get(l, SIZES[l]) for l in self.letters[1])

    def output_shape(self):
        return tuple(self.output_size(l) for l in self.letters[2])

    def output_size(self, letter):
        if letter not in WINDOW:
            return SIZES[letter]
        covered = self.dilations[letter] * (WINDOW[letter] - 1) + 1
        return (SIZES[letter] - covered) // self.strides[letter] + 1

    def pairs(self, at):
        """Indices into input and kernel for the output element `at`."""
        inputs, kernel, output = self.letters
        fixed = dict(zip(output, at))
        inner = [l for l in kernel if l in WINDOW or l not in fixed]
        ranges = [range(WINDOW.get(l, SIZES[l])) for l in inner]
        for steps in itertools.product(*ranges):
            free = dict(zip(inner, steps))
            place = dict(fixed, **free)
            for letter in set(inner) & set(WINDOW):
                place[letter] = (fixed[letter] * self.strides[letter] +
                                 free[letter] * self.dilations[letter])
            window = dict(fixed, **free)
            yield (tuple(place[l] for l in inputs),
                   tuple(window[l] for l in kernel))

    def convolve(self, x, k, start):
        result = start.copy()
        for at in np.ndindex(*start.shape):
            for i, j in self.pairs(at):
                result[at] += x[i] * k[j]
        return result

    def pool(self, x, start, combine):
        result = start.copy()
        for at in np.ndindex(*start.shape):
            for i, _ in self.pairs(at):
                result[at] = combine(result[at], x[i])
        return result
