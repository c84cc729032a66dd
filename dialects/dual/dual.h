#ifndef MLOPT_DUAL_H
#define MLOPT_DUAL_H

#include "bridge/Dialect.h"

#include "dualDialect.h.inc"
#include "dualEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dualAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dualTypes.h.inc"
#define GET_OP_CLASSES
#include "dualOps.h.inc"

#endif // MLOPT_DUAL_H
