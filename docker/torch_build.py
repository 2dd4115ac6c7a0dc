"""Print which torch an image has; fail if it is the wrong build. Argument, CUDA: refused, allowed, needed."""

import sys

import torch

wanted = sys.argv[1]
cuda = torch.version.cuda
sys.stdout.write(f"torch {torch.__version__}, CUDA {cuda or 'none'}\n")
if cuda and wanted == "refused":
    sys.exit(
        "This is the build with CUDA, 5 GB larger. Check TORCH_INDEX, or allow it with "
        "--build-arg TORCH_CUDA=allowed."
    )
if not cuda and wanted == "needed":
    sys.exit("This build has no CUDA, so judges would not use the GPU. Build the target cpu instead.")
