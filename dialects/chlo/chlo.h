#ifndef MLOPT_CHLO_H
#define MLOPT_CHLO_H

#include "bridge/Dialect.h"

#include "chloDialect.h.inc"
#define GET_OP_CLASSES
#include "chloOps.h.inc"

#endif // MLOPT_CHLO_H
