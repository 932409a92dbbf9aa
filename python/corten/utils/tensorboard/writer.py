# SPDX-License-Identifier: BSD-3-Clause
"""SummaryWriter: logs scalars, images, histograms, text and more for TensorBoard."""
import io
import json
import math
import os
import socket
import struct
import threading
import time

from ... import _C
from ..._missing import missing_function
from . import plugins, records


class FileWriter:
    """Writes one event file."""

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
        """Returns the log directory."""
        return self.log_dir

    def add_summary(self, summary, global_step=None, walltime=None):
        """Writes one encoded Summary."""
        self._write(records.event(time.time() if walltime is None else walltime, global_step or 0, summary=summary))

    def add_graph(self, graph_def, walltime=None):
        """Writes a graph, the bytes of a GraphDef."""
        self._write(records.event(time.time() if walltime is None else walltime, graph=graph_def))

    def start_session(self, step):
        """Marks a restart: TensorBoard then discards earlier entries with this step or a later one."""
        self._write(records.event(time.time(), step, version="brain.Event:2"))
        self._write(records.event(time.time(), step, session=1))

    def flush(self):
        """Writes all buffered entries to the file."""
        with self._lock:
            self._flush()

    def close(self):
        """Flushes and closes the file."""
        with self._lock:
            if not self._file.closed:
                self._flush()
                self._file.close()

    def reopen(self):
        """Continues writing to the same file."""
        if self._file.closed:
            self._file = open(self._file.name, "ab")


def _number(x):
    return float(x.item()) if hasattr(x, "item") else float(x)


def _tensor(x):
    return x.detach().cpu() if isinstance(x, _C.Tensor) else _C.as_tensor(x)


def _limits():
    """Returns TensorBoard's histogram bounds: a geometric series with ratio 1.1, on both sides of 0."""
    v, right = 1e-12, []
    while v < 1e20:
        right.append(v)
        v *= 1.1
    return [-x for x in reversed(right)] + [0.0] + right


_BINS = _limits()


def _picture(x, formats):
    """Converts an image to (H, W, C) bytes from the layout that `formats` names."""
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


def _write_sprite(pictures, path):
    """Writes all images as one square sprite, which the projector cuts apart."""
    from ...vision.io import write_png
    n, channels, height, width = pictures.shape
    side = math.ceil(math.sqrt(n))
    pictures = _C.cat([pictures, pictures.new_zeros(side * side - n, channels, height, width)])
    grid = pictures.reshape(side, side, channels, height, width).permute(2, 0, 3, 1, 4)
    grid = grid.reshape(channels, side * height, side * width)
    if grid.is_floating_point():
        grid = (grid * 255).clamp(0, 255)
    write_png(grid.to(_C.uint8).contiguous(), path)


class SummaryWriter:
    """Writes event files to a directory, by default runs/DATE_HOST.

    Args:
        log_dir: the directory. Default: None, for runs/DATE_HOST with `comment` appended
        comment: the suffix of the default directory. Default: ""
        purge_step: the step from which an interrupted run continues; TensorBoard discards earlier entries from this step on.
            Default: None
        max_queue: the number of entries to buffer before they are written. Default: 10
        flush_secs: the maximum time between writes, in seconds. Default: 120
        filename_suffix: the suffix of the file name. Default: ""

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
        self.purge_step, self.file_writer, self.all_writers = purge_step, None, {}
        self._get_file_writer()

    def _get_file_writer(self):
        if self.file_writer is None:
            self.file_writer = FileWriter(self.log_dir, *self._options)
            self.all_writers[self.log_dir] = self.file_writer
            if self.purge_step is not None:
                self.file_writer.start_session(self.purge_step)
                self.purge_step = None
        return self.file_writer

    def get_logdir(self):
        """Returns the log directory."""
        return self.log_dir

    def _add(self, summary, step, walltime):
        self._get_file_writer().add_summary(summary, step, walltime)

    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None, new_style=False, double_precision=False):
        """Logs a number. double_precision: stored as a float64 tensor; new_style: as a float32 tensor, not as a simple value."""
        made = plugins.scalar_tensor(tag, _number(scalar_value), double_precision) if new_style or double_precision else \
            records.scalar(tag, _number(scalar_value))
        self._add(made, global_step, walltime)

    def add_tensor(self, tag, tensor, global_step=None, walltime=None):
        """Logs a tensor of floating-point values."""
        self._add(plugins.float_tensor(tag, _tensor(tensor)), global_step, walltime)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        """Logs several numbers to one chart; each goes to a separate event file."""
        for tag, number in tag_scalar_dict.items():
            path = os.path.join(self.log_dir, f"{main_tag.replace('/', '_')}_{tag}")
            if path not in self.all_writers:
                self.all_writers[path] = FileWriter(path, *self._options)
            self.all_writers[path].add_summary(records.scalar(main_tag, _number(number)), global_step, walltime)

    def add_histogram(self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None):
        """Logs a histogram of the values."""
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
        """Logs a histogram whose bins were computed elsewhere."""
        self._add(records.histogram(tag, min, max, num, sum, sum_squares, list(bucket_limits), list(bucket_counts)), global_step,
                  walltime)

    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        """Logs an image; `dataformats` names the order of its dims, such as "CHW", "HWC" or "HW"."""
        from ...vision.io import encode_png
        picture = _picture(img_tensor, dataformats)
        data = bytes(encode_png(picture).untyped_storage())
        self._add(records.image(tag, picture.shape[1], picture.shape[2], picture.shape[0], data), global_step, walltime)

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        """Logs a batch of images side by side."""
        self.add_image(tag, img_tensor, global_step, walltime, dataformats)

    def add_image_with_boxes(self, tag, img_tensor, box_tensor, global_step=None, walltime=None, rescale=1, dataformats="CHW",
                             labels=None):
        """Logs an image with boxes (x1, y1, x2, y2) and labels, scaled by `rescale`."""
        from ...nn.functional import interpolate
        from ...vision.utils import draw_bounding_boxes
        labels = None if labels is None else [labels] * len(box_tensor) if isinstance(labels, str) else list(labels)
        if labels is not None and len(labels) != len(box_tensor):
            labels = None
        picture = draw_bounding_boxes(_picture(img_tensor, dataformats), _tensor(box_tensor), labels, colors="red")
        if rescale != 1:
            size = [max(1, int(n * rescale)) for n in picture.shape[-2:]]
            picture = interpolate(picture[None].to(_C.float32), size, mode="bilinear", antialias=True)[0]
            picture = picture.round().clamp(0, 255).to(_C.uint8)
        self.add_image(tag, picture, global_step, walltime)

    def add_video(self, tag, vid_tensor, global_step=None, fps=4, walltime=None):
        """Logs videos of shape (N, T, C, H, W), arranged in a grid, at `fps` frames per second, as a GIF with 128 colours."""
        from .gif import encode
        x = _tensor(vid_tensor)
        if x.is_floating_point():
            x = (x * 255).clamp(0, 255)
        n, t, c, h, w = x.shape
        rows = 1 << (n.bit_length() - 1 if n & (n - 1) == 0 else n.bit_length()) // 2
        columns = -(-n // rows)
        x = _C.cat([x, x.new_zeros(rows * columns - n, t, c, h, w)]).to(_C.uint8)
        frames = x.reshape(rows, columns, t, c, h, w).permute(2, 0, 4, 1, 5, 3).reshape(t, rows * h, columns * w, c)
        self._add(records.image(tag, rows * h, columns * w, c, encode(frames, fps)), global_step, walltime)

    def add_figure(self, tag, figure, global_step=None, close=True, walltime=None):
        """Logs a matplotlib figure."""
        from ...vision.io import decode_image
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png")
        self.add_image(tag, decode_image(_C.frombuffer(bytearray(buffer.getvalue()), dtype=_C.uint8))[:3], global_step, walltime)
        if close:
            import matplotlib.pyplot
            matplotlib.pyplot.close(figure)

    def add_audio(self, tag, snd_tensor, global_step=None, sample_rate=44100, walltime=None):
        """Logs audio with samples between -1 and 1."""
        samples = (_tensor(snd_tensor).reshape(-1).clamp(-1, 1) * 32767).to(_C.int16)
        body = bytes(samples.contiguous().untyped_storage())
        head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(body), b"WAVE", b"fmt ", 16, 1, 1, sample_rate, 2 * sample_rate,
                           2, 16, b"data", len(body))
        self._add(records.audio(tag, sample_rate, samples.numel(), head + body), global_step, walltime)

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        """Logs text in Markdown."""
        self._add(records.text(tag, text_string), global_step, walltime)

    def add_hparams(self, hparam_dict, metric_dict, hparam_domain_discrete=None, run_name=None, global_step=None):
        """Logs the hyperparameters of a run with its final metrics, for the tab HPARAMS.

        hparam_domain_discrete: {name: list of allowed values}. run_name: name of the subdirectory, by default the time.
        """
        if type(hparam_dict) is not dict or type(metric_dict) is not dict:
            raise TypeError("hparam_dict and metric_dict should be dictionary.")
        summaries = plugins.hparams(hparam_dict, metric_dict, hparam_domain_discrete)
        with SummaryWriter(os.path.join(self.log_dir, run_name or str(time.time()))) as writer:
            for summary in summaries:
                writer.file_writer.add_summary(summary, global_step)
            for name, number in metric_dict.items():
                writer.add_scalar(name, number, global_step)

    def add_graph(self, model, input_to_model=None, verbose=False, use_strict_trace=True):
        """Logs the graph of a network: the calls of one run on `input_to_model`, a tensor or a tuple of arguments.

        verbose: also prints the graph.
        """
        from .graph import graph
        if input_to_model is None:
            raise ValueError("add_graph needs input_to_model: the graph is that of a run")
        data, text = graph(model, input_to_model)
        if verbose:
            print(text)
        self._get_file_writer().add_graph(data)

    add_onnx_graph = staticmethod(missing_function("torch.utils.tensorboard.SummaryWriter.add_onnx_graph",
                                                   "call add_graph, which shows the graph of a module"))

    def add_pr_curve(self, tag, labels, predictions, global_step=None, num_thresholds=127, weights=None, walltime=None):
        """Logs a precision-recall curve with up to 127 thresholds.

        labels: 0 or 1. predictions: probabilities of label 1. weights: a weight for each prediction.
        """
        labels, predictions = _tensor(labels), _tensor(predictions)
        self._add(plugins.pr_curve(tag, labels, predictions, num_thresholds, weights), global_step, walltime)

    def add_pr_curve_raw(self, tag, true_positive_counts, false_positive_counts, true_negative_counts, false_negative_counts,
                         precision, recall, global_step=None, num_thresholds=127, weights=None, walltime=None):
        """Logs a precision-recall curve from the (weighted) counts at each threshold."""
        rows = (true_positive_counts, false_positive_counts, true_negative_counts, false_negative_counts, precision, recall)
        rows = _C.stack([_tensor(row).reshape(-1).to(_C.float64) for row in rows])
        self._add(plugins.pr_curve_raw(tag, rows, min(num_thresholds, 127)), global_step, walltime)

    def add_mesh(self, tag, vertices, colors=None, faces=None, config_dict=None, global_step=None, walltime=None):
        """Logs a mesh or point cloud: vertices and colors (0 to 255) of shape (B, N, 3), faces (B, M, 3) of vertex indices.

        config_dict: display settings, with the names of three.js.
        """
        parts = [None if x is None else _tensor(x) for x in (vertices, colors, faces)]
        config = json.dumps(config_dict or {}, sort_keys=True)
        self._add(plugins.mesh(tag, *parts, config), global_step, walltime)

    def add_custom_scalars(self, layout):
        """Defines charts of several curves: {category: {title: ["Multiline", tags] or ["Margin", [value, lower, upper]]}}."""
        self._add(plugins.custom_scalars(layout), None, None)

    def add_custom_scalars_multilinechart(self, tags, category="default", title="untitled"):
        """Defines one chart with several curves."""
        self.add_custom_scalars({category: {title: ["Multiline", tags]}})

    def add_custom_scalars_marginchart(self, tags, category="default", title="untitled"):
        """Defines a chart of a curve with a band: the tags of the value, the lower and the upper bound."""
        if len(tags) != 3:
            raise AssertionError(f"Expected 3 tags, got {len(tags)}.")
        self.add_custom_scalars({category: {title: ["Margin", tags]}})

    def add_embedding(self, mat, metadata=None, label_img=None, global_step=None, tag="default", metadata_header=None):
        """Logs points with labels for TensorBoard's projector.

        mat: one point per row. metadata: a label per point, or a list of fields if metadata_header names columns. label_img:
        images (N, C, H, W) with values from 0 to 1, shown instead of the points.
        """
        x = _tensor(mat)
        subdir = f"{0 if global_step is None else global_step:05d}/{tag.replace('/', '%2f').replace(' ', '%20')}"
        folder = os.path.join(self.log_dir, subdir)
        os.makedirs(folder, exist_ok=True)
        lines = [f'tensor_name: "{tag}:{0 if global_step is None else global_step:05d}"', f'tensor_path: "{subdir}/tensors.tsv"']
        if metadata is not None:
            if len(metadata) != x.shape[0]:
                raise AssertionError("#labels should equal with #data points")
            if metadata_header:
                metadata = ["\t".join(metadata_header)] + ["\t".join(str(part) for part in row) for row in metadata]
            with open(os.path.join(folder, "metadata.tsv"), "w") as file:
                file.writelines(f"{row}\n" for row in metadata)
            lines.append(f'metadata_path: "{subdir}/metadata.tsv"')
        if label_img is not None:
            label_img = _tensor(label_img)
            if label_img.shape[0] != x.shape[0]:
                raise AssertionError("#images should equal with #data points")
            _write_sprite(label_img, os.path.join(folder, "sprite.png"))
            height, width = label_img.shape[2:]
            lines.append(f'sprite {{\n    image_path: "{subdir}/sprite.png"\n    single_image_dim: {width}\n'
                         f'    single_image_dim: {height}\n  }}')
        with open(os.path.join(folder, "tensors.tsv"), "w") as file:
            file.writelines("\t".join(map(str, row)) + "\n" for row in x.tolist())
        with open(os.path.join(self.log_dir, "projector_config.pbtxt"), "a") as file:
            file.write("embeddings {\n" + "".join(f"  {line}\n" for line in lines) + "}\n")

    def flush(self):
        """Writes buffered entries to the files."""
        for writer in self.all_writers.values():
            writer.flush()

    def close(self):
        """Flushes and closes the files."""
        for writer in self.all_writers.values():
            writer.close()
        self.file_writer, self.all_writers = None, {}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()
