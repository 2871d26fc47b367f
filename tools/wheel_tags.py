"""Print how pip is told for which Python and platform a wheel is that holds native code."""

import sys
import sysconfig

VERSION = f"cp{sys.version_info.major}{sys.version_info.minor}"
PLATFORM = sysconfig.get_platform().replace("-", "_").replace(".", "_")

print(f"--config-settings=--build-option=--python-tag={VERSION}")
print(f"--config-settings=--build-option=--plat-name={PLATFORM}")
