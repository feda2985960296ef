"""Falcon Mamba: Mamba with norms of the time step, B and C that have no parameters."""

from symparams.architectures import Architecture
from symparams.architectures.mamba import MAMBA, mamba_decoder, state_space
from symparams.components import non_parametric_rms_norm, with_selection_norms

norm = non_parametric_rms_norm()

FALCON_MAMBA = Architecture(
    "falcon_mamba",
    title="Falcon Mamba",
    source="Zuo et al., 2024, arXiv:2410.05355",
    tree=mamba_decoder(with_selection_norms(state_space, norm, norm, norm)),
    relations=MAMBA.relations,
    has=MAMBA.has,
)
