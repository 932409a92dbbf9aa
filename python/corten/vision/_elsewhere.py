# SPDX-License-Identifier: BSD-3-Clause
"""Names of torchvision that `corten.vision` lacks; using one raises an error that says to install torchvision.

`corten.vision` stands for torchvision if that package is not installed, and has the parts that small programs use. The rest
runs on Corten from torchvision's own Python code (_installed.py). As everywhere in Corten, an absent name can be imported,
and raises MissingFeature when it is used.
"""
import functools
import importlib

from .._missing import MISSING, MissingFeature, missing_class, missing_function

INSTEAD = "install the torchvision package (pip install --no-deps torchvision numpy pillow), whose Python code runs on Corten"
_NAMES = {
    "torchvision": """
get_video_backend set_video_backend""",
    "torchvision.io": """
decode_avif decode_heic""",
    "torchvision.ops": """
DropBlock2d DropBlock3d FeaturePyramidNetwork MultiScaleRoIAlign complete_box_iou_loss distance_box_iou_loss drop_block2d
drop_block3d generalized_box_iou_loss""",
    "torchvision.transforms": """
AugMix AutoAugment AutoAugmentPolicy ElasticTransform RandAugment TrivialAugmentWide""",
    "torchvision.transforms.v2": """
AugMix AutoAugment AutoAugmentPolicy ClampBoundingBoxes ClampKeyPoints ConvertBoundingBoxFormat CutMix ElasticTransform
GaussianNoise JPEG MixUp RGB RandAugment RandomChannelPermutation RandomIoUCrop RandomPhotometricDistort RandomResize
RandomShortestSize RandomZoomOut SanitizeBoundingBoxes SanitizeKeyPoints ScaleJitter SetClampingMode Transform
TrivialAugmentWide UniformTemporalSubsample check_type get_bounding_boxes get_keypoints has_all has_any query_chw query_size""",
    "torchvision.datasets.utils": """
download_file_from_google_drive iterable_to_str list_dir list_files""",
    "torchvision.transforms.v2.functional": """
adjust_brightness_video adjust_contrast_video adjust_gamma_video adjust_hue_video adjust_saturation_video
adjust_sharpness_video affine_bounding_boxes affine_keypoints affine_mask affine_video autocontrast_video
center_crop_bounding_boxes center_crop_keypoints center_crop_mask center_crop_video clamp_bounding_boxes clamp_keypoints
convert_bounding_box_format crop_bounding_boxes crop_keypoints crop_mask crop_video elastic_bounding_boxes elastic_keypoints
elastic_mask elastic_video equalize_video erase_video five_crop_video gaussian_blur_video gaussian_noise_video
get_dimensions_video get_num_channels_video get_num_frames get_num_frames_video get_size_bounding_boxes get_size_keypoints
get_size_mask get_size_video horizontal_flip_bounding_boxes horizontal_flip_keypoints horizontal_flip_mask
horizontal_flip_video invert_video is_pure_tensor jpeg_video normalize_video pad_bounding_boxes pad_keypoints pad_mask
pad_video permute_channels_video perspective_bounding_boxes perspective_keypoints perspective_mask perspective_video
posterize_video register_kernel resize_bounding_boxes resize_keypoints resize_mask resize_video resized_crop_bounding_boxes
resized_crop_keypoints resized_crop_mask resized_crop_video rotate_bounding_boxes rotate_keypoints rotate_mask rotate_video
sanitize_bounding_boxes sanitize_keypoints solarize_video ten_crop_video to_dtype_video uniform_temporal_subsample
uniform_temporal_subsample_video vertical_flip_bounding_boxes vertical_flip_keypoints vertical_flip_mask vertical_flip_video""",
    "torchvision.models": """
ConvNeXt ConvNeXt_Base_Weights ConvNeXt_Large_Weights ConvNeXt_Small_Weights ConvNeXt_Tiny_Weights EfficientNet
EfficientNet_B0_Weights EfficientNet_B1_Weights EfficientNet_B2_Weights EfficientNet_B3_Weights EfficientNet_B4_Weights
EfficientNet_B5_Weights EfficientNet_B6_Weights EfficientNet_B7_Weights EfficientNet_V2_L_Weights EfficientNet_V2_M_Weights
EfficientNet_V2_S_Weights GoogLeNet GoogLeNetOutputs GoogLeNet_Weights Inception3 InceptionOutputs Inception_V3_Weights
MNASNet MNASNet0_5_Weights MNASNet0_75_Weights MNASNet1_0_Weights MNASNet1_3_Weights MaxVit MaxVit_T_Weights RegNet
RegNet_X_16GF_Weights RegNet_X_1_6GF_Weights RegNet_X_32GF_Weights RegNet_X_3_2GF_Weights RegNet_X_400MF_Weights
RegNet_X_800MF_Weights RegNet_X_8GF_Weights RegNet_Y_128GF_Weights RegNet_Y_16GF_Weights RegNet_Y_1_6GF_Weights
RegNet_Y_32GF_Weights RegNet_Y_3_2GF_Weights RegNet_Y_400MF_Weights RegNet_Y_800MF_Weights RegNet_Y_8GF_Weights ShuffleNetV2
ShuffleNet_V2_X0_5_Weights ShuffleNet_V2_X1_0_Weights ShuffleNet_V2_X1_5_Weights ShuffleNet_V2_X2_0_Weights SwinTransformer
Swin_B_Weights Swin_S_Weights Swin_T_Weights Swin_V2_B_Weights Swin_V2_S_Weights Swin_V2_T_Weights convnext_base
convnext_large convnext_small convnext_tiny efficientnet_b0 efficientnet_b1 efficientnet_b2 efficientnet_b3 efficientnet_b4
efficientnet_b5 efficientnet_b6 efficientnet_b7 efficientnet_v2_l efficientnet_v2_m efficientnet_v2_s googlenet inception_v3
maxvit_t mnasnet0_5 mnasnet0_75 mnasnet1_0 mnasnet1_3 regnet_x_16gf regnet_x_1_6gf regnet_x_32gf regnet_x_3_2gf regnet_x_400mf
regnet_x_800mf regnet_x_8gf regnet_y_128gf regnet_y_16gf regnet_y_1_6gf regnet_y_32gf regnet_y_3_2gf regnet_y_400mf
regnet_y_800mf regnet_y_8gf shufflenet_v2_x0_5 shufflenet_v2_x1_0 shufflenet_v2_x1_5 shufflenet_v2_x2_0 swin_b swin_s swin_t
swin_v2_b swin_v2_s swin_v2_t""",
    "torchvision.datasets": """
CLEVRClassification CREStereo Caltech101 Caltech256 CarlaStereo CelebA Cityscapes CocoCaptions CocoDetection Country211 DTD
ETH3DStereo EuroSAT FER2013 FGVCAircraft FallingThingsStereo Flickr30k Flickr8k Flowers102 FlyingChairs FlyingThings3D Food101
GTSRB HD1K HMDB51 INaturalist ImageNet Imagenette InStereo2k Kinetics Kitti Kitti2012Stereo Kitti2015Stereo KittiFlow LFWPairs
LFWPeople LSUN LSUNClass Middlebury2014Stereo MovingMNIST Omniglot OxfordIIITPet PCAM PhotoTour Places365 QMNIST RenderedSST2
SBDataset SBU SEMEION STL10 SUN397 SVHN SceneFlowStereo Sintel SintelStereo StanfordCars UCF101 USPS VOCDetection
VOCSegmentation WIDERFace wrap_dataset_for_transforms_v2""",
    "torchvision.tv_tensors": """
BoundingBoxFormat BoundingBoxes Image KeyPoints Mask TVTensor Video is_rotated_bounding_format set_return_type wrap""",
    "torchvision.models.detection": """
FCOS FCOS_ResNet50_FPN_Weights FasterRCNN FasterRCNN_MobileNet_V3_Large_320_FPN_Weights
FasterRCNN_MobileNet_V3_Large_FPN_Weights FasterRCNN_ResNet50_FPN_V2_Weights FasterRCNN_ResNet50_FPN_Weights KeypointRCNN
KeypointRCNN_ResNet50_FPN_Weights MaskRCNN MaskRCNN_ResNet50_FPN_V2_Weights MaskRCNN_ResNet50_FPN_Weights RetinaNet
RetinaNet_ResNet50_FPN_V2_Weights RetinaNet_ResNet50_FPN_Weights SSD300_VGG16_Weights SSDLite320_MobileNet_V3_Large_Weights
fasterrcnn_mobilenet_v3_large_320_fpn fasterrcnn_mobilenet_v3_large_fpn fasterrcnn_resnet50_fpn fasterrcnn_resnet50_fpn_v2
fcos_resnet50_fpn keypointrcnn_resnet50_fpn maskrcnn_resnet50_fpn maskrcnn_resnet50_fpn_v2 retinanet_resnet50_fpn
retinanet_resnet50_fpn_v2 ssd300_vgg16 ssdlite320_mobilenet_v3_large""",
    "torchvision.models.segmentation": """
DeepLabV3 DeepLabV3_MobileNet_V3_Large_Weights DeepLabV3_ResNet101_Weights DeepLabV3_ResNet50_Weights FCN
FCN_ResNet101_Weights FCN_ResNet50_Weights LRASPP LRASPP_MobileNet_V3_Large_Weights deeplabv3_mobilenet_v3_large
deeplabv3_resnet101 deeplabv3_resnet50 fcn_resnet101 fcn_resnet50 lraspp_mobilenet_v3_large""",
    "torchvision.models.video": """
MC3_18_Weights MViT MViT_V1_B_Weights MViT_V2_S_Weights R2Plus1D_18_Weights R3D_18_Weights S3D S3D_Weights Swin3D_B_Weights
Swin3D_S_Weights Swin3D_T_Weights SwinTransformer3d VideoResNet mc3_18 mvit_v1_b mvit_v2_s r2plus1d_18 r3d_18 s3d swin3d_b
swin3d_s swin3d_t""",
    "torchvision.models.optical_flow": """
RAFT Raft_Large_Weights Raft_Small_Weights raft_large raft_small""",
    "torchvision.models.quantization": """
GoogLeNet_QuantizedWeights Inception_V3_QuantizedWeights MobileNet_V2_QuantizedWeights MobileNet_V3_Large_QuantizedWeights
QuantizableGoogLeNet QuantizableInception3 QuantizableMobileNetV2 QuantizableMobileNetV3 QuantizableResNet
QuantizableShuffleNetV2 ResNeXt101_32X8D_QuantizedWeights ResNeXt101_64X4D_QuantizedWeights ResNet18_QuantizedWeights
ResNet50_QuantizedWeights ShuffleNet_V2_X0_5_QuantizedWeights ShuffleNet_V2_X1_0_QuantizedWeights
ShuffleNet_V2_X1_5_QuantizedWeights ShuffleNet_V2_X2_0_QuantizedWeights googlenet inception_v3 mobilenet_v2 mobilenet_v3_large
resnet18 resnet50 resnext101_32x8d resnext101_64x4d shufflenet_v2_x0_5 shufflenet_v2_x1_0 shufflenet_v2_x1_5
shufflenet_v2_x2_0""",
    "torchvision.models.feature_extraction": """
create_feature_extractor get_graph_node_names""",
}
# Modules of torchvision that have no counterpart here at all.
MODULES = ("torchvision.tv_tensors", "torchvision.models.detection", "torchvision.models.feature_extraction",
           "torchvision.models.optical_flow", "torchvision.models.quantization", "torchvision.models.segmentation",
           "torchvision.models.video")


class _Kind(type):
    """Metaclass of absent classes: attributes such as `EfficientNet_B0_Weights.DEFAULT` raise MissingFeature, like calls."""

    def __getattr__(cls, name):
        if name.startswith("_"):
            raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")
        raise MissingFeature(f"{cls.__module__}.{cls.__name__}.{name}", INSTEAD)


class _Elsewhere(metaclass=_Kind):
    pass


def names_of(package):
    """Returns a `__getattr__` for a module of corten.vision, which creates the absent names of the torchvision module."""
    module = "torchvision" + package.removeprefix("corten.vision")
    names = frozenset(_NAMES[module].split())
    MISSING[f"{module}: {len(names)} names"] = INSTEAD

    @functools.cache
    def __getattr__(name):
        if f"{module}.{name}" in MODULES:
            return importlib.import_module(f"{package}.{name}")
        if name not in names:
            raise AttributeError(f"module '{module}' has no attribute '{name}'")
        if name[0].isupper():
            return missing_class(f"{module}.{name}", INSTEAD, _Elsewhere)
        return missing_function(f"{module}.{name}", INSTEAD)
    return __getattr__
