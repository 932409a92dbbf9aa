# SPDX-License-Identifier: BSD-3-Clause
"""Box operations, and layers for vision networks."""
from .._elsewhere import names_of
from .boxes import (batched_nms, box_area, box_convert, box_iou, clip_boxes_to_image, complete_box_iou, distance_box_iou,
                    generalized_box_iou, masks_to_boxes, nms, remove_small_boxes)
from .deform_conv import DeformConv2d, deform_conv2d
from .focal_loss import sigmoid_focal_loss
from .misc import (MLP, Conv2dNormActivation, Conv3dNormActivation, FrozenBatchNorm2d, Permute, SqueezeExcitation)
from .ps_roi_align import PSRoIAlign, ps_roi_align
from .ps_roi_pool import PSRoIPool, ps_roi_pool
from .roi_align import RoIAlign, roi_align
from .roi_pool import RoIPool, roi_pool
from .stochastic_depth import StochasticDepth, stochastic_depth

__all__ = ["Conv2dNormActivation", "Conv3dNormActivation", "DeformConv2d", "FrozenBatchNorm2d", "MLP", "PSRoIAlign", "PSRoIPool",
           "Permute", "RoIAlign", "RoIPool", "SqueezeExcitation", "StochasticDepth", "batched_nms", "box_area", "box_convert",
           "box_iou", "clip_boxes_to_image", "complete_box_iou", "deform_conv2d", "distance_box_iou", "generalized_box_iou",
           "masks_to_boxes", "nms", "ps_roi_align", "ps_roi_pool", "remove_small_boxes", "roi_align", "roi_pool",
           "sigmoid_focal_loss", "stochastic_depth"]
__getattr__ = names_of(__name__)
