# SPDX-License-Identifier: BSD-3-Clause
"""The parts of torch.fx that work on graphs. Corten does not trace graphs, so using these names raises MissingFeature."""
from .._missing import missing_modules

INSTEAD = "functions and modules are not traced into graphs; register forward hooks to see inside a module"
missing_modules(__package__, INSTEAD, {
    "_pytree": "register_pytree_flatten_spec tree_flatten_spec",
    "graph": "CodeGen Graph PythonCode",
    "graph_module": "reduce_deploy_graph_module reduce_graph_module reduce_package_graph_module",
    "interpreter": "Interpreter Transformer",
    "operator_schemas": "check_for_mutable_operation create_type_hint get_signature_for_torch_op normalize_function normalize_module "
                        "type_matches",
    "passes.backends.cudagraphs": "CudaGraphsSupport partition_cudagraphs",
    "passes.graph_drawer": "FxGraphDrawer",
    "passes.graph_manipulation": "get_size_of_all_nodes get_size_of_node replace_target_nodes_with",
    "passes.graph_transform_observer": "GraphTransformObserver",
    "passes.infra.pass_base": "PassBase PassResult",
    "passes.infra.pass_manager": "PassManager pass_result_wrapper this_before_that_pass_constraint",
    "passes.infra.partitioner": "CapabilityBasedPartitioner Partition",
    "passes.operator_support": "OperatorSupport OperatorSupportBase any_chain chain create_op_support",
    "passes.param_fetch": "default_matching extract_attrs_for_lowering lift_lowering_attrs_to_nodes",
    "passes.pass_manager": "PassManager inplace_wrapper log_hook loop_pass these_before_those_pass_constraint "
                           "this_before_that_pass_constraint",
    "passes.regional_inductor": "regional_inductor",
    "passes.reinplace": "reinplace",
    "passes.runtime_assert": "insert_deferred_runtime_asserts",
    "passes.shape_prop": "ShapeProp TensorMetadata",
    "passes.split_module": "split_module",
    "passes.split_utils": "move_non_tensor_nodes_on_boundary setattr_recursive split_by_tags",
    "passes.splitter_base": "NodeEvent NodeEventTracker generate_inputs_for_submodules",
    "passes.tools_common": "is_node_output_tensor stable_topological_sort",
    "passes.utils.common": "compare_graphs lift_subgraph_as_module",
    "passes.utils.fuser_utils": "erase_nodes fuse_as_graphmodule topo_sort validate_partition",
    "passes.utils.matcher_utils": "InternalMatch SubgraphMatcher",
    "passes.utils.matcher_with_name_node_map_utils": "InternalMatch SubgraphMatcherWithNameNodeMap",
    "passes.utils.source_matcher_utils": "SourcePartition check_subgraphs_connected get_source_partitions",
    "proxy": "GraphAppendingTracer ParameterProxy TraceError TracerBase",
    "subgraph_rewriter": "Match ReplacedPatterns replace_pattern replace_pattern_with_filters",
    "traceback": "NodeSource NodeSourceAction get_graph_provenance_json",
})
