# SPDX-License-Identifier: BSD-3-Clause
"""SummaryWriter: numbers, pictures, histograms and texts of a run, for TensorBoard."""
import io
import os
import socket
import struct
import threading
import time

from ... import _C
from . import records


class FileWriter:
    """One event file."""

    def __init__(self, log_dir, max_queue=10, flush_secs=120, filename_suffix=""):
        self.log_dir = os.fspath(log_dir)
        os.makedirs(self.log_dir, exist_ok=True)
        name = f"events.out.tfevents.{int(time.time()):010d}.{socket.gethostname()}.{os.getpid()}.{id(self) % 10000}{filename_suffix}"
        self._file, self._lock = open(os.path.join(self.log_dir, name), "ab"), threading.Lock()
        self._waiting, self._max, self._seconds, self._last = 0, max_queue, flush_secs, time.monotonic()
        self._write(records.event(time.time(), version="brain.Event:2"))
        self.flush()

    def _write(self, data):
        with self._lock:
            self._file.write(records.record(data))
            self._waiting += 1
            if self._waiting > self._max or time.monotonic() - self._last > self._seconds:
                self._flush()

    def _flush(self):
        self._file.flush()
        self._waiting, self._last = 0, time.monotonic()

    def get_logdir(self):
        """The folder."""
        return self.log_dir

    def add_summary(self, summary, global_step=None, walltime=None):
        """One summary."""
        self._write(records.event(time.time() if walltime is None else walltime, global_step or 0, summary=summary))

    def flush(self):
        """Everything is in the file."""
        with self._lock:
            self._flush()

    def close(self):
        """The end of the file."""
        with self._lock:
            if not self._file.closed:
                self._flush()
                self._file.close()

    def reopen(self):
        """Goes on with the same file."""
        if self._file.closed:
            self._file = open(self._file.name, "ab")


def _number(x):
    return float(x.item()) if hasattr(x, "item") else float(x)


def _tensor(x):
    return x.detach().cpu() if isinstance(x, _C.Tensor) else _C.as_tensor(x)


def _limits():
    """Bounds of histograms as TensorBoard has them: growing by a tenth, on both sides of 0."""
    v, right = 1e-12, []
    while v < 1e20:
        right.append(v)
        v *= 1.1
    return [-x for x in reversed(right)] + [0.0] + right


_BINS = _limits()


def _picture(x, formats):
    """(H, W, C) bytes of a picture in the layout that letters name."""
    x = _tensor(x)
    formats = formats.upper()
    if "N" in formats:
        from ...vision.utils import make_grid
        order = [formats.index(c) for c in ("NCHW" if "C" in formats else "NHW")]
        x = x.permute(*order)
        x = make_grid(x if x.dim() == 4 else x[:, None], padding=0)
    elif formats == "HW":
        x = x[None]
    else:
        x = x.permute(*(formats.index(c) for c in "CHW"))
    if x.is_floating_point():
        x = (x * 255).clamp(0, 255)
    x = x.to(_C.uint8)
    return x.expand(3, -1, -1).contiguous() if x.shape[0] == 1 else x.contiguous()


class SummaryWriter:
    """Writes event files into a folder: runs/DATE_HOST unless it is named.

        >>> import tempfile
        >>> from corten.utils.tensorboard import SummaryWriter
        >>> with SummaryWriter(tempfile.mkdtemp()) as writer:
        ...     for step in range(3):
        ...         writer.add_scalar('loss', 1 / (step + 1), step)
    """

    def __init__(self, log_dir=None, comment="", purge_step=None, max_queue=10, flush_secs=120, filename_suffix=""):
        if not log_dir:
            log_dir = os.path.join("runs", time.strftime("%b%d_%H-%M-%S") + "_" + socket.gethostname() + comment)
        self.log_dir, self._options = os.fspath(log_dir), (max_queue, flush_secs, filename_suffix)
        self.file_writer, self.all_writers = None, {}
        self._get_file_writer()

    def _get_file_writer(self):
        if self.file_writer is None:
            self.file_writer = FileWriter(self.log_dir, *self._options)
            self.all_writers[self.log_dir] = self.file_writer
        return self.file_writer

    def get_logdir(self):
        """The folder."""
        return self.log_dir

    def _add(self, summary, step, walltime):
        self._get_file_writer().add_summary(summary, step, walltime)

    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None, new_style=False, double_precision=False):
        """A number."""
        self._add(records.scalar(tag, _number(scalar_value)), global_step, walltime)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        """Several numbers in one chart: each gets a file of its own."""
        for tag, number in tag_scalar_dict.items():
            path = os.path.join(self.log_dir, f"{main_tag.replace('/', '_')}_{tag}")
            if path not in self.all_writers:
                self.all_writers[path] = FileWriter(path, *self._options)
            self.all_writers[path].add_summary(records.scalar(main_tag, _number(number)), global_step, walltime)

    def add_histogram(self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None):
        """How values are spread."""
        x = _tensor(values).reshape(-1).to(_C.float64)
        if x.numel() == 0:
            raise ValueError("The input has no element.")
        if bins == "tensorflow":
            limits = _C.tensor(_BINS, dtype=_C.float64)
        else:
            low, high = x.min().item(), x.max().item()
            count = bins if isinstance(bins, int) else min(max_bins or 64, max(1, int(x.numel() ** 0.5)))
            limits = _C.linspace(low, high if high > low else low + 1, count + 1, dtype=_C.float64)
        place = _C.searchsorted(limits, x, right=True).clamp(1, limits.numel() - 1) - 1
        counts = _C.bincount(place, minlength=limits.numel() - 1)
        used = counts.nonzero().reshape(-1)
        first, last = int(used[0]), int(used[-1]) + 1
        counts = [0.0, *counts[first:last].to(_C.float64).tolist()]
        edges = limits[first:last + 1].tolist()
        self._add(records.histogram(tag, x.min().item(), x.max().item(), x.numel(), x.sum().item(), (x * x).sum().item(), edges,
                                    counts), global_step, walltime)

    def add_histogram_raw(self, tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts, global_step=None,
                          walltime=None):
        """A histogram that was made elsewhere."""
        self._add(records.histogram(tag, min, max, num, sum, sum_squares, list(bucket_limits), list(bucket_counts)), global_step,
                  walltime)

    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        """A picture."""
        from ...vision.io import encode_png
        picture = _picture(img_tensor, dataformats)
        data = bytes(encode_png(picture).untyped_storage())
        self._add(records.image(tag, picture.shape[1], picture.shape[2], picture.shape[0], data), global_step, walltime)

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        """Pictures side by side."""
        self.add_image(tag, img_tensor, global_step, walltime, dataformats)

    def add_image_with_boxes(self, tag, img_tensor, box_tensor, global_step=None, walltime=None, rescale=1, dataformats="CHW",
                             labels=None):
        """A picture with boxes."""
        from ...vision.utils import draw_bounding_boxes
        self.add_image(tag, draw_bounding_boxes(_picture(img_tensor, dataformats), _tensor(box_tensor), colors="red"), global_step,
                       walltime)

    def add_figure(self, tag, figure, global_step=None, close=True, walltime=None):
        """A figure of matplotlib."""
        from ...vision.io import decode_image
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png")
        self.add_image(tag, decode_image(_C.frombuffer(bytearray(buffer.getvalue()), dtype=_C.uint8))[:3], global_step, walltime)
        if close:
            import matplotlib.pyplot
            matplotlib.pyplot.close(figure)

    def add_audio(self, tag, snd_tensor, global_step=None, sample_rate=44100, walltime=None):
        """Sound from -1 to 1."""
        samples = (_tensor(snd_tensor).reshape(-1).clamp(-1, 1) * 32767).to(_C.int16)
        body = bytes(samples.contiguous().untyped_storage())
        head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(body), b"WAVE", b"fmt ", 16, 1, 1, sample_rate, 2 * sample_rate,
                           2, 16, b"data", len(body))
        self._add(records.audio(tag, sample_rate, samples.numel(), head + body), global_step, walltime)

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        """A text, in Markdown."""
        self._add(records.text(tag, text_string), global_step, walltime)

    def add_hparams(self, hparam_dict, metric_dict, hparam_domain_discrete=None, run_name=None, global_step=None):
        """The settings of a run and what came of them."""
        if not isinstance(hparam_dict, dict) or not isinstance(metric_dict, dict):
            raise TypeError("hparam_dict and metric_dict should be dictionary.")
        table = "\n".join(["| name | value |", "| --- | --- |", *(f"| {k} | {v} |" for k, v in hparam_dict.items())])
        with SummaryWriter(os.path.join(self.log_dir, run_name or str(time.time()))) as writer:
            writer.add_text("hparams", table, global_step)
            for name, number in metric_dict.items():
                writer.add_scalar(name, number, global_step)

    def add_graph(self, model, input_to_model=None, verbose=False, use_strict_trace=True):
        """The modules of a network, as text."""
        self.add_text("graph", f"```\n{model}\n```")

    def add_embedding(self, mat, metadata=None, label_img=None, global_step=None, tag="default", metadata_header=None):
        """Points with labels: files for TensorBoard's projector."""
        x = _tensor(mat)
        folder = os.path.join(self.log_dir, f"{(global_step or 0):05d}", tag)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "tensors.tsv"), "w") as file:
            file.writelines("\t".join(map(str, row)) + "\n" for row in x.tolist())
        if metadata is not None:
            with open(os.path.join(folder, "metadata.tsv"), "w") as file:
                file.writelines(f"{m}\n" for m in metadata)
        with open(os.path.join(self.log_dir, "projector_config.pbtxt"), "a") as file:
            name = os.path.relpath(folder, self.log_dir)
            meta = f'metadata_path: "{name}/metadata.tsv"\n' if metadata is not None else ""
            file.write(f'embeddings {{\ntensor_name: "{tag}:{global_step or 0}"\n{meta}tensor_path: "{name}/tensors.tsv"\n}}\n')

    def flush(self):
        """Everything is in the files."""
        for writer in self.all_writers.values():
            writer.flush()

    def close(self):
        """The end."""
        for writer in self.all_writers.values():
            writer.close()
        self.file_writer, self.all_writers = None, {}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()
