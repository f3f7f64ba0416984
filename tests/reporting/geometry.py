"""What crosses what in a drawing, for the laws over all of them."""

from __future__ import annotations

from itertools import pairwise

from fabric.reporting.drawing.shapes import Label, curve

NEAR = 0.6
"""Pixels that edges may touch each other by: coordinates are rounded."""


def boxes_of(scene):
    """Left, top, right and bottom of every cell."""
    return [(c.x, c.y, c.x + c.width, c.y + c.height) for c in scene.cells]


def texts_of(scene):
    """The same of every text: those of labels, and those in cells."""
    inside = [
        Label(c.middle, c.y + c.height / 2 + 4, c.label, "", "middle").box for c in scene.cells if c.label
    ]
    return [label.box for label in scene.labels if label.text] + inside


def overlap(one, other):
    """Whether two boxes share more than an edge."""
    apart = one[2] <= other[0] + NEAR or other[2] <= one[0] + NEAR
    return not (apart or one[3] <= other[1] + NEAR or other[3] <= one[1] + NEAR)


def overlapping(boxes):
    """Pairs of boxes that overlap, looked for from left to right."""
    ordered = sorted(boxes)
    found = []
    for i, one in enumerate(ordered):
        for other in ordered[i + 1 :]:
            if other[0] >= one[2]:
                break
            if overlap(one, other):
                found.append((one, other))
    return found


def segments_of(scene):
    """The straight pieces of every bundle, with its number."""
    for i, bundle in enumerate(scene.bundles):
        for start, end in pairwise(curve(bundle.points)):
            yield i, start, end


def crosses(start, end, box):
    """Whether a straight line passes through the inside of a box (Liang and Barsky)."""
    left, top, right, bottom = box[0] + NEAR, box[1] + NEAR, box[2] - NEAR, box[3] - NEAR
    (x, y), dx, dy = start, end[0] - start[0], end[1] - start[1]
    first, last = 0.0, 1.0
    for way, room in ((-dx, x - left), (dx, right - x), (-dy, y - top), (dy, bottom - y)):
        if way == 0:
            if room <= 0:
                return False
        elif way < 0:
            first = max(first, room / way)
        else:
            last = min(last, room / way)
    return first < last


def crossed(scene, boxes):
    """Boxes that a line passes through, with the number of its bundle."""
    spans = sorted(boxes, key=lambda box: box[1])
    found = set()
    for i, start, end in segments_of(scene):
        low, high = sorted((start[1], end[1]))
        left, right = sorted((start[0], end[0]))
        for box in spans:
            if box[1] > high:
                break
            if box[3] >= low and box[0] <= right and box[2] >= left and crosses(start, end, box):
                found.add((i, box))
    return found


def outside(scene):
    """Boxes, texts and ends of lines that are not within the drawing."""
    wide, high = scene.width + NEAR, scene.height + NEAR
    boxes = [
        *boxes_of(scene),
        *texts_of(scene),
        *((p.x, p.y, p.x + p.width, p.y + p.height) for p in scene.panels),
    ]
    points = [point for bundle in scene.bundles for point in curve(bundle.points)]
    boxes += [(x, y, x, y) for x, y in points]
    return [box for box in boxes if box[0] < -NEAR or box[1] < -2 or box[2] > wide or box[3] > high]


__all__ = ["boxes_of", "crossed", "crosses", "outside", "overlapping", "texts_of"]
