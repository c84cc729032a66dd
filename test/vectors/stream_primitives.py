"""Writes stream_primitives.json: a test of each primitive and function of spec/streams.md 3 and 4.3, with cells of all kinds.

The values come from the tables and formulas of the specification, written out here; nothing of mlopt is used.
"""

import json
import math
import pathlib
import random

path = pathlib.Path(__file__).with_suffix(".json")
random.seed(7)
tests=[]
def lift(f, rows):
    out=[]
    for c in zip(*rows):
        if "bot" in [x for x in c if isinstance(x,str)]: out.append("bot")
        elif "err" in [x for x in c if isinstance(x,str)]: out.append("err")
        elif all(x=="abs" for x in c): out.append("abs")
        elif any(x=="abs" for x in c if isinstance(x,str)): out.append("err")
        else: out.append(f(*c))
    return out
def row(value, n): return [random.choice(["abs","bot","err",None,None,None,None]) or value() for _ in range(n)]
f=lambda: round(random.uniform(-3,3),2)
i=lambda: random.randint(-9,9)
b=lambda: random.random()<.5
def add(op, fn, values, static=None, n=24):
    rows=[row(v,n) for v in values]
    t={"id":f"prim/{op}/{len(tests)}","kind":"prim","op":op,"operands":rows,"result":lift(fn,rows)}
    if static is not None: t["static"]=static
    tests.append(t)
for op,fn in {"+":lambda a,b:a+b,"-":lambda a,b:a-b,"*":lambda a,b:a*b}.items():
    add(op,fn,[f,f]); add(op,fn,[i,i])
pos=lambda: random.randint(1,9)
add("/",lambda a,b:a/b,[f,lambda: round(random.uniform(.5,3),2)])
add("/",lambda a,b:int(a/b),[i,pos])
for op,fn in {"==":lambda a,b:a==b,"!=":lambda a,b:a!=b,"<":lambda a,b:a<b,"<=":lambda a,b:a<=b,">":lambda a,b:a>b,">=":lambda a,b:a>=b}.items():
    add(op,fn,[f,f]); add(op,fn,[i,i])
add("and",lambda a,b:a and b,[b,b]); add("or",lambda a,b:a or b,[b,b]); add("not",lambda a:not a,[b])
add("-",lambda a:-a,[f])
add("tanh",math.tanh,[f]); add("sigmoid",lambda z:1/(1+math.exp(-z)),[f]); add("relu",lambda a:max(a,0.0),[f])
add("exp",math.exp,[f]); add("sqrt",math.sqrt,[lambda: round(random.uniform(0,3),2)])
add("tanh",math.tanh,[i])
v=lambda: [f() for _ in range(3)]
m=lambda: [[f() for _ in range(3)] for _ in range(2)]
add("sum",lambda x:sum(x),[v]); add("sum",lambda x:sum(map(sum,x)),[m])
mv=lambda A,x:[sum(a*b for a,b in zip(r,x)) for r in A]
add("matmul",mv,[m,v])
mm=lambda: [[f() for _ in range(2)] for _ in range(3)]
add("matmul",lambda A,B:[[sum(A[r][k]*B[k][c] for k in range(3)) for c in range(2)] for r in range(2)],[m,mm])
add("outer",lambda u,w:[[a*b for b in w] for a in u],[v,lambda:[f(),f()]])
add("transpose",lambda A:[list(r) for r in zip(*A)],[m])
add("concat",lambda u,w:u+w,[v,lambda:[f(),f()]])
add("reshape",lambda A:[[A[0][0],A[0][1]],[A[0][2],A[1][0]],[A[1][1],A[1][2]]],[m],[[3,2]])
add("slice",lambda u:u[1:3],[v],[1,3])
add("index",lambda u:u[2],[v],[2])
add("stack",lambda a,c,d:[a,c,d],[f,f,f])
add("param",lambda a:a,[f])
for t in tests:
    if t["op"]=="param": t["result"]=t["operands"][0]
def when(x,c,p):
    if c=="bot": return "bot"
    if c=="abs": return "abs" if x in("abs","bot") else "err"
    if c=="err": return "err"
    ok = x=="bot" or not isinstance(x,str)
    if not ok: return "err"
    return x if c==p else "abs"
def merge(c,a,b_):
    if c=="bot": return "bot"
    maybe=lambda x: isinstance(x,str) and x in("abs","bot")
    if c=="abs": return "abs" if maybe(a) and maybe(b_) else "err"
    if c=="err": return "err"
    s,u=(a,b_) if c else (b_,a)
    if not maybe(u) or (isinstance(s,str) and s in("abs","err")): return "err"
    return s
for p in (True,False):
    rows=[row(f,40),row(b,40)]
    tests.append({"id":f"prim/when/{p}","kind":"prim","op":"when","polarity":p,"operands":rows,"result":[when(x,c,p) for x,c in zip(*rows)]})
rows=[row(b,60),row(f,60),row(f,60)]
tests.append({"id":"prim/merge/r","kind":"prim","op":"merge","operands":rows,"result":[merge(*c) for c in zip(*rows)]})
rows=[row(b,60),row(f,60),row(f,60)]
tests.append({"id":"prim/if/r","kind":"prim","op":"if","operands":rows,"result":[merge(c,when(a,c,True),when(d,c,False)) for c,a,d in zip(*rows)]})
json.dump({"library":"","tolerance":{"f64":{"rtol":1e-12,"atol":1e-13},"f32":{"rtol":2e-5,"atol":2e-6}},"tests":tests},open(path, "w"))
