/* SPDX-License-Identifier: BSD-3-Clause */
/* The umbrella header for C programs: includes the public headers except dist.h. */
#ifndef CORTEN_H
#define CORTEN_H

#include "corten/autograd.h"
#include "corten/base.h"
#include "corten/cuda.h"
#include "corten/io.h"
#include "corten/nn.h"
#include "corten/ops.h"
#include "corten/optim.h"
#include "corten/profile.h"

#endif
