# SPDX-License-Identifier: BSD-3-Clause
"""The overloads of the operations of `torch.ops.aten`, to reject overloads that do not exist.

Each line lists overloads and, after the colon, the operations that have exactly these. The arguments of a call decide what an
operation does, as everywhere in Corten.
"""

_TABLE = """
default: _assert_scalar _assert_tensor_metadata _backward _coalesced_ _foreach_abs_ _foreach_acos_ _foreach_asin_
    _foreach_atan_ _foreach_ceil_ _foreach_copy_ _foreach_cos_ _foreach_cosh_ _foreach_erf_ _foreach_erfc_ _foreach_exp_
    _foreach_expm1_ _foreach_floor_ _foreach_frac_ _foreach_lgamma_ _foreach_log10_ _foreach_log1p_ _foreach_log2_
    _foreach_log_ _foreach_neg_ _foreach_reciprocal_ _foreach_round_ _foreach_rsqrt_ _foreach_sigmoid_ _foreach_sign_
    _foreach_sin_ _foreach_sinh_ _foreach_sqrt_ _foreach_tan_ _foreach_tanh_ _foreach_trunc_ _foreach_zero_ _indices
    _local_scalar_dense _make_dual _neg_view _nnz _pad_packed_sequence _reshape_from_tensor _shape_as_tensor
    _sparse_mm_reduce_impl _values _version abs_ absolute_ acos_ acosh_ adaptive_max_pool1d addbmm_ addcdiv_ addcmul_ addmm_
    addmv_ addr_ adjoint alias allclose alpha_dropout alpha_dropout_ arccos_ arccosh_ arcsin_ arcsinh_ arctan2_ arctan_
    arctanh_ argwhere as_strided as_strided_ asin_ asinh_ atan2_ atan_ atanh_ baddbmm_ batch_norm bilinear bitwise_not_
    broadcast_tensors broadcast_to can_cast cartesian_prod cauchy_ ccol_indices cdist ceil_ celu_ chalf chunk coalesce
    col_indices combinations conj conj_physical_ contiguous conv_transpose1d copy_ corrcoef cos_ cosh_ cosine_embedding_loss
    cosine_similarity cov crow_indices cumprod_ cumsum_ data deg2rad_ dense_dim det detach detach_ diagflat diagonal digamma_
    dim dropout dropout_ einsum elu_ embedding_renorm_ equal erf_ erfc_ erfinv_ exp2_ exp_ expand expand_as expm1_
    exponential_ fake_quantize_per_channel_affine feature_alpha_dropout feature_alpha_dropout_ feature_dropout
    feature_dropout_ fill_diagonal_ fix_ fliplr flipud floor_ frac_ fused_moving_avg_obs_fake_quant gcd_ geometric_ get_device
    grid_sampler group_norm gru_cell hardtanh_ heaviside_ hinge_embedding_loss hypot_ i0_ igamma_ igammac_ imag index_add_
    index_copy_ index_put_ index_reduce_ indices instance_norm is_coalesced is_complex is_conj is_distributed
    is_floating_point is_inference is_leaf is_neg is_nonzero is_pinned is_same_size is_set_to is_signed is_vulkan_available
    isclose isfinite isreal istft item kl_div l1_loss layer_norm lcm_ ldexp_ leaky_relu_ lgamma_ log10_ log1p_ log2_ log_
    log_normal_ logdet logical_and_ logical_not_ logical_or_ logical_xor_ logit_ lstm_cell mH mT margin_ranking_loss
    masked_scatter_ matrix_exp max_pool1d max_pool1d_with_indices max_pool2d max_pool3d mvlgamma_ nan_to_num_ neg_ negative_
    nextafter_ norm_except_dim normal_ numel one_hot output_nr pad pairwise_distance pdist permute pin_memory pinverse
    poisson_nll_loss polygamma_ positive prelu promote_types put_ q_per_channel_axis q_scale q_zero_point quantized_gru_cell
    quantized_lstm_cell quantized_rnn_relu_cell quantized_rnn_tanh_cell rad2deg_ ravel real reciprocal_ record_stream relu6
    relu_ renorm_ requires_grad_ reshape reshape_as resize_ resize_as_ resolve_conj resolve_neg retain_grad retains_grad
    rms_norm rnn_relu_cell rnn_tanh_cell row_indices rrelu rrelu_ rsqrt_ scaled_dot_product_attention scatter_add_ selu selu_
    sgn_ sigmoid_ sign_ sin_ sinc_ sinh_ slice_inverse sparse_dim split_with_sizes sqrt_ square_ storage_offset sum_to_size
    swapaxes swapaxes_ swapdims swapdims_ sym_constrain_range sym_constrain_range_for_size t t_ tan_ tanh_ threshold_ tile
    to_dense to_sparse_csc to_sparse_csr transpose_ tril_ triplet_margin_loss triu_ trunc_ type_as unfold uniform_
    unsafe_chunk unsqueeze unsqueeze_ values vander view_as view_as_complex view_as_real zero_
default out: _convert_indices_from_coo_to_csr _convert_indices_from_csr_to_coo _foreach_abs _foreach_acos _foreach_asin
    _foreach_atan _foreach_ceil _foreach_cos _foreach_cosh _foreach_erf _foreach_erfc _foreach_exp _foreach_expm1
    _foreach_floor _foreach_frac _foreach_lgamma _foreach_log _foreach_log10 _foreach_log1p _foreach_log2 _foreach_max
    _foreach_neg _foreach_reciprocal _foreach_round _foreach_rsqrt _foreach_sigmoid _foreach_sign _foreach_sin _foreach_sinh
    _foreach_sqrt _foreach_tan _foreach_tanh _foreach_trunc _int_mm _pack_padded_sequence _pin_memory _sample_dirichlet
    _softmax_backward_data _sparse_addmm _standard_gamma _to_copy _unsafe_view abs absolute acos acosh adaptive_avg_pool1d
    adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d adaptive_max_pool3d addbmm addcdiv addcmul addmv addr
    affine_grid_generator alias_copy amax amin aminmax angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax
    argmin as_strided_copy as_strided_scatter asin asinh atan atan2 atanh avg_pool1d avg_pool2d avg_pool3d
    binary_cross_entropy binary_cross_entropy_with_logits bincount binomial bitwise_not block_diag cat ceil celu chain_matmul
    channel_shuffle cholesky_inverse cholesky_solve clone column_stack complex concat concatenate conj_physical
    constant_pad_nd conv_tbc convolution cos cosh cross cummax cummin cumprod cumsum deg2rad detach_copy diag diag_embed
    diagonal_copy diagonal_scatter diff digamma dist dot dstack elu embedding empty_like empty_permuted empty_quantized
    empty_strided erf erfc erfinv exp exp2 expand_copy expm1 fix flip floor fmax fmin frac from_file full full_like gather gcd
    gelu ger glu grid_sampler_2d grid_sampler_3d hardshrink hardsigmoid hardswish hardtanh hash_tensor heaviside histc hstack
    huber_loss hypot i0 igamma igammac index_add index_copy index_put index_reduce index_select inner inverse isinf isnan
    isneginf isposinf kron lcm leaky_relu lgamma linear log log10 log1p log2 logaddexp logaddexp2 logcumsumexp logical_and
    logical_not logical_or logical_xor logit logsumexp lu_solve lu_unpack masked_scatter masked_select matmul matrix_power
    max_pool2d_with_indices max_pool3d_with_indices max_unpool2d max_unpool3d maximum minimum mish mse_loss msort
    multi_margin_loss multilabel_margin_loss multinomial mv mvlgamma nan_to_num nanmean nansum narrow_copy native_dropout neg
    negative new_empty new_empty_strided new_full new_ones new_zeros nextafter nll_loss nonzero nonzero_static ones ones_like
    orgqr ormqr outer permute_copy pixel_shuffle pixel_unshuffle poisson polar polygamma put q_per_channel_scales
    q_per_channel_zero_points quantize_per_channel quantize_per_tensor_dynamic quantized_batch_norm quantized_max_pool1d
    quantized_max_pool2d quantized_max_pool3d rad2deg reciprocal relu renorm repeat resize resize_as roll rot90 row_stack
    rsqrt scalar_tensor scatter_add segment_reduce select_scatter sgn sigmoid sign signbit silu sin sinc sinh slice_scatter
    slogdet smooth_l1_loss soft_margin_loss softplus softshrink sparse_mask split_with_sizes_copy sqrt square stack t_copy
    take take_along_dim tan tanh tensordot threshold to_padded_tensor trace tril tril_indices triu triu_indices trunc
    unfold_copy unique_consecutive unsafe_split_with_sizes unsqueeze_copy vdot view_as_complex_copy view_as_real_copy vstack
    zeros zeros_like
Scalar Tensor: __and__ __iand__ __ilshift__ __ior__ __irshift__ __ixor__ __or__ __xor__ add_ bitwise_and_ bitwise_or_
    bitwise_xor_ copysign_ eq_ fill_ float_power_ floor_divide_ fmod_ ge_ greater_ greater_equal_ gt_ le_ lerp_ less_
    less_equal_ lt_ masked_fill_ mul_ multiply_ ne_ not_equal_ pow_ remainder_ sub_ subtract_ true_divide_
Scalar Tensor Scalar_out Tensor_out: __lshift__ __rshift__ bucketize eq fill fmod ge greater greater_equal gt le lerp less
    less_equal lt masked_fill ne not_equal rsub searchsorted
List Scalar ScalarList: _foreach_clamp_max_ _foreach_clamp_min_ _foreach_lerp_ _foreach_maximum_ _foreach_minimum_
    _foreach_pow_ _foreach_sub_
int: select size stride sym_size transpose unbind unflatten
List Scalar ScalarList List_out ScalarList_out Scalar_out: _foreach_clamp_max _foreach_clamp_min _foreach_lerp
    _foreach_maximum _foreach_minimum _foreach_sub
Tensor Tensor_out: frexp index slice_copy split_copy unsafe_split
default Tensor: clamp_ clamp_max_ clamp_min_ clip_ narrow
default dtype dtype_out out: addmm baddbmm bmm mm view_copy
default generator generator_out out: rand rand_like randn randn_like randperm
int int_out: log_softmax select_copy softmax transpose_copy unbind_copy
Scalar Scalar_Tensor Tensor Scalar_Tensor_out Scalar_out Tensor_out: bitwise_and bitwise_or bitwise_xor remainder
Scalar Tensor Scalar_out out: add copysign mul sub
data input: gru lstm rnn_relu rnn_tanh
default Tensor Tensor_out out: clamp clamp_max clamp_min clip
List Scalar ScalarList Tensor: _foreach_add_ _foreach_div_ _foreach_mul_
List Scalar ScalarList Tensor List_out ScalarList_out Scalar_out Tensor_out: _foreach_add _foreach_div _foreach_mul
Scalar Tensor out: multiply subtract true_divide
array int: dsplit hsplit vsplit
default Sequence: atleast_1d atleast_2d atleast_3d
default padding: conv1d conv2d conv3d
default periodic out periodic_out: bartlett_window blackman_window hann_window
default values: kthvalue mode topk
dx x: cumulative_trapezoid trapezoid trapz
Scalar ScalarList Tensor: _foreach_addcdiv_ _foreach_addcmul_
Scalar ScalarList Tensor ScalarList_out Scalar_out Tensor_out: _foreach_addcdiv _foreach_addcmul
Scalar Scalar_mode Tensor Tensor_mode: div_ divide_
Scalar Tensor_Scalar Tensor_Tensor Scalar_out Tensor_Scalar_out Tensor_Tensor_out: float_power pow
Scalar_Tensor Tensor Tensor_Scalar Scalar_Tensor_out Tensor_Scalar_out Tensor_out: bitwise_left_shift bitwise_right_shift
Tensor Tensor_Scalar: bitwise_left_shift_ bitwise_right_shift_
default Scalar_Tensor Tensor_Scalar Tensor_Tensor Scalar_Tensor_out Tensor_Scalar_out Tensor_Tensor_out out: linspace logspace
default correction dim correction_out: std_mean var_mean
default correction dim correction_out out: std var
default dim dim_values out: median nanmedian
default dim dims: squeeze squeeze_
default dim dims all_out dims_out out: all any
default output: fractional_max_pool2d fractional_max_pool3d
default scalar out scalar_out: nanquantile quantile
input: conv_transpose2d conv_transpose3d
int intlist: moveaxis movedim
IntList Tensor: ctc_loss
List Scalar ScalarAndTensor ScalarList List_out ScalarList_out Scalar_out: _foreach_pow
OutScalar_Other OutScalar_Self OutTensor Scalar_Other Scalar_Self Tensor: xlogy
Scalar ScalarOpt_dim ScalarOpt_dim_dtype ScalarOpt_dtype ScalarOpt_dtype_out Scalar_out dtype_out out: norm
Scalar Scalar_Scalar Scalar_Tensor Tensor: result_type
Scalar Scalar_mode Tensor Tensor_mode out_mode Scalar_mode_out Scalar_out out: div
Scalar Scalar_mode Tensor Tensor_mode out_mode out: divide
Scalar Scalar_out: _foreach_norm
Scalar_Other Tensor: xlogy_
Scalar_Tensor Tensor_Scalar Tensor_Tensor Scalar_Tensor_out Tensor_Scalar_out Tensor_Tensor_out: isin
Tensor: slice
Tensor float: bernoulli_
Tensor out: ldexp
Tensor self_Tensor self_int Tensor_out: repeat_interleave
Tensor sizes: split
Tensor_Tensor Tensor_float float_Tensor float_float Tensor_Tensor_out Tensor_float_out float_Tensor_out float_float_out out:
    normal
array scalararray scalarint scalarrayarray scalarrayint tensorarray tensorarrayint: gradient
bin_ct bins_tensor bin_ct_out bins_tensor_out: histogram
ccol_row_value ccol_row_value_size: sparse_csc_tensor
comp_plain_value comp_plain_value_size: sparse_compressed_tensor
crow_col_value crow_col_value_size: sparse_csr_tensor
default Scalar ScalarOther ScalarSelf self self_out: where
default Scalar Scalar_out out: floor_divide
default Tensor Tensor_generator generator low_dtype low_generator_dtype Tensor_generator_out Tensor_out generator_out
    low_dtype_out low_generator_dtype_out out: randint_like
default Tensor p Tensor_out float_out out: bernoulli
default TensorList_bins int_bins: histogramdd
default U: svd
default X: triangular_solve
default a: geqrf
default beta periodic beta_out out periodic_out: kaiser_window
default center: stft
default decimals: round_
default decimals decimals_out out: round
default dim dim_max other out unary_out: max
default dim dim_min other out unary_out: min
default dim dims dim_out dims_out out: squeeze_copy
default dim dtype_out out: mean
default dim_IntList IntList_out out: sum
default dim_IntList dim_IntList_out out: count_nonzero
default dim_int int_out out: prod
default dtype: view
default from to: random_
default generator low low_generator generator_out low_generator_out low_out out: randint
default indexing: meshgrid
default m m_out out: eye
default memory_format: is_contiguous
default msg: _assert_async
default out_ step out: range
default padding_idx: embedding_bag
default periodic periodic_alpha periodic_alpha_beta out periodic_alpha_beta_out periodic_alpha_out periodic_out:
    hamming_window
default source_Storage source_Storage_storage_offset source_Tensor source_Tensor_storage_offset: set_
default sparse_dim: to_sparse
default stable stable_out: argsort
default stable values values_stable: sort
default start start_step out start_out: arange
default tensor_qparams: fake_quantize_per_tensor_affine
default tensor_qparams tensors out tensor_qparams_out tensors_out: quantize_per_tensor
device dtype other dtype_layout: to
indices indices_size size size_out: sparse_coo_tensor
indices sections tensor_indices_or_sections: tensor_split
int_Scalar int_Tensor: index_fill_
int_Scalar int_Tensor int_Scalar_out int_Tensor_out: index_fill
memory_format out: empty
reduce src value value_reduce: scatter_
reduce src value value_reduce reduce_out src_out value_out value_reduce_out: scatter
self tensors self_out tensors_out: dequantize
two: scatter_reduce_
two two_out: scatter_reduce
using_ints: flatten
"""


def overloads():
    """Returns {operation: its overloads}."""
    found = {}
    for line in _TABLE.replace("\n    ", " ").strip().splitlines():
        names, _, operations = line.partition(": ")
        found.update(dict.fromkeys(operations.split(), names.split()))
    return found
