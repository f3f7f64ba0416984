"""One queue and one link over time: whether ECN answers an incast before PFC does, and what a pause still lets in."""

from fabric.simulation.queues.dcqcn import Bottleneck, Course, incast
from fabric.simulation.queues.incast_queues import IncastQueue, incast_queues
from fabric.simulation.queues.of_site import QueueCourse, courses
from fabric.simulation.queues.paused_link import most_in_buffer_bytes

__all__ = [
    "Bottleneck",
    "Course",
    "IncastQueue",
    "QueueCourse",
    "courses",
    "incast",
    "incast_queues",
    "most_in_buffer_bytes",
]
