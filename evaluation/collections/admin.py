"""Read-only admin of blobs, images, collections and topics; documents have their search."""

from evaluation.collections.blobs import Blob, Image
from evaluation.collections.models import Collection, Picture, Topic
from evaluation.web.admin.base import register_table

register_table(Picture, "name task image", track_path="task__track")


register_table(Blob, "sha256 size created_at", search="sha256", ordering=("-created_at",))


register_table(Image, "sha256 width height created_at", search="sha256", ordering=("-created_at",))


register_table(Collection, "name track created_at", track_path="track", search="name")


register_table(Topic, "number state note task", track_path="task__track", search="number fields")
