CREATE PERFETTO MACRO _metasql_identity(x Expr) RETURNS Expr AS
$x;

CREATE PERFETTO MACRO metasql_unparenthesize_exprlist(expr ExprList)
RETURNS UnparenExprList AS
__intrinsic_token_apply!(_metasql_identity, $expr);
