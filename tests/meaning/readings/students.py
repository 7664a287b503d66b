"""Texts that students really type, each with the reading that is right: written by hand, one row a text.

A row is the text and what it means, in safe spelling: an expression; ``refuse`` where two people read it differently;
``EXPRESSION ?`` where refusing it is as good. Groups declare names; `FILES` rows hold for lines of a derivation too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Row:
    """A text, what is declared, its meaning (or ``refuse``), whether refusing will do, whether files read it too."""

    text: str
    names: Mapping[str, str]
    meaning: str
    either: bool
    files: bool


SIZES = {"n": "size", "d": "size", "h": "size", "d_k": "size"}
REALS = {"x": "positive", "y": "positive", "t": "positive"}
PLAIN = {**SIZES, **REALS}
MODEL = {"d_model": "size", "h": "size", "d_k": "size", "B": "size", "T": "size"}
LETTERS = {"f": "real", "g": "real", "E": "real", "d": "real", "x": "positive", "y": "positive", "a": "real"}
NONE: dict[str, str] = {}

# Both for an answer and for a line of a derivation.
BOTH: tuple[tuple[Mapping[str, str], str], ...] = (
    (
        PLAIN,
        r"""
n/2 = n/2
1/(2n) = 1/(2*n)
(1/2)n = n/2
1/2n = refuse
1/2 n = refuse
1/ 2n = refuse
1/2(n+1) = refuse
1/2*(n+1) = (n+1)/2 ?
1/2*n = n/2 ?
1/(2)(n+1) = refuse
n/2d = refuse
2n/3d = refuse
2/3x = refuse
2/3 x = refuse
n(n+1)/2 = n*(n+1)/2
n(n+1)/2d = refuse
n/d/h = n/(d*h) ?
x/2! = x/2 ?
1/x^2 = 1/(x^2)
1/x^2y = refuse
1/sqrt(d) = 1/sqrt(d)
1/sqrt d = 1/sqrt(d) ?
1/sqrt(d)x = refuse
1/ln 2 = 1/ln(2) ?
1/2ln(x) = refuse
1/2 ln(x) = refuse
1/2sqrt(x) = refuse
1/2|x| = refuse
1÷2n = refuse
x/yt*n = refuse
xy/2 = x*y/2
x y/2 = x*y/2
2x = 2*x
2 x = 2*x
x2 = refuse
(n+1)2 = refuse
(n+1)(n+2) = (n+1)*(n+2)
(n+1) (n+2) = (n+1)*(n+2)
n(n+1) = n*(n+1)
n(n+1)(n+2) = n*(n+1)*(n+2)
4d(d+1) = 4*d*(d+1)
4 d (d+1) = 4*d*(d+1)
h(d_k + d_k) = h*(2*d_k)
d_k(h+1) = d_k*(h+1)
2n^2d = 2*n^2*d
12nd^2 = 12*n*d^2
n^2 d = n^2*d
n²d = n^2*d
n^2(d+1) = n^2*(d+1)
2^n = 2^n
2^nd = refuse
2^(nd) = 2^(n*d)
2^n d = 2^n*d ?
e^x = exp(x)
e^-x = exp(-x)
e^(-x) = exp(-x)
e^xy = refuse
e^(xy) = exp(x*y)
e^x*y = exp(x)*y
e^x y = exp(x)*y ?
e^2x = refuse
e^-2x = refuse
e^(2x) = exp(2*x)
e^x/2 = exp(x)/2 ?
e^-x/2 = refuse
e^-x^2/2 = refuse
e^(-x^2/2) = exp(-(x^2)/2)
e^x^2 = exp(x^2) ?
e^x+1 = exp(x)+1
x^1/2 = refuse
x^-1/2 = refuse
8^1/3 = refuse
2^3^2 = 512 ?
-x^2 = -(x^2)
(-x)^2 = x^2
-2^2 = -4
x**2 = x^2
x^2y = x^2*y
3x^2y = 3*x^2*y
x^-1 = 1/x
x⁻¹ = 1/x
2^-n = 1/(2^n)
ln x = ln(x)
lnx = ln(x) ?
ln(x) = ln(x)
log x = ln(x)
log(x) = ln(x)
ln 2 = ln(2)
ln2 = ln(2) ?
2ln x = 2*ln(x)
2 ln x = 2*ln(x)
x ln x = x*ln(x)
xlnx = x*ln(x) ?
n log n = n*ln(n)
ln 2x = refuse
ln 2 x = refuse
ln2x = refuse
ln xy = refuse
ln x y = refuse
ln 2*x = refuse
ln x/y = refuse
ln x / y = refuse
ln(x)/y = ln(x)/y
ln(x/y) = ln(x/y)
ln(2)x = ln(2)*x
ln(2x) = ln(2*x)
ln x^2 = 2*ln(x)
ln(x^2) = 2*ln(x)
ln^2 x = ln(x)^2
ln^2(x) = ln(x)^2
ln(x)^2 = ln(x)^2 ?
ln (x+1)^2 = refuse
ln(x+1)(x+2) = refuse
ln x + 1 = ln(x)+1
ln x + ln y = ln(x)+ln(y)
ln x - ln y = ln(x)-ln(y)
ln x ln y = ln(x)*ln(y) ?
ln 1/2 = refuse
ln(1/2) = -ln(2)
ln 1 = 0
ln e^x = x ?
exp x = exp(x) ?
exp(x) = exp(x)
exp 2x = refuse
exp x y = refuse
exp -x = exp(-x) ?
exp(-x)/2 = exp(-x)/2
exp x/2 = refuse
exp(x)exp(y) = exp(x)*exp(y)
exp(x) exp(y) = exp(x)*exp(y)
exp(x)y = exp(x)*y ?
sqrt(x) = sqrt(x)
sqrt x = sqrt(x)
sqrt 2 = sqrt(2)
2 sqrt 2 = 2*sqrt(2)
2sqrt2 = 2*sqrt(2) ?
2√2 = 2*sqrt(2)
√2 = sqrt(2)
√2x = refuse
√(2x) = sqrt(2*x)
√(2)x = sqrt(2)*x ?
√x/2 = refuse
√2/2 = sqrt(2)/2 ?
√d_k = sqrt(d_k)
sqrt 2x = refuse
sqrt 2 x = refuse
sqrt(2) x = sqrt(2)*x ?
sqrt(x)sqrt(y) = sqrt(x)*sqrt(y)
x√y = x*sqrt(y)
sqrt x+1 = sqrt(x)+1 ?
log_2 8 = 3 ?
log_2(8) = 3 ?
log2(8) = refuse
log2 x = refuse
log10(x) = refuse
log(x, 2) = ln(x)/ln(2) ?
e(x+1) = e*(x+1) ?
ln (x+1)/(x+2) = ln(x+1)/(x+2) ?
x^n! = x^(n!) ?
exp[x] = exp(x) ?
2*[x+1] = 2*(x+1) ?
1⁄2n = refuse
ln 2⁄4 = refuse
\log_28n = refuse
\sum_{j=1}^3 j + x = 6 + x ?
x^2% = refuse
lg 2 = refuse
log 2 x = refuse
2 x 3 = refuse
2x3 = refuse
x x y = refuse
0x10 = refuse
2 3 = refuse
2 1/2 = refuse
3 1/2 = refuse
1 1/2 n = refuse
3 (4) = refuse
0.5 (50%) = refuse
2e+3 = 2000 ?
2e+3 + e^x = refuse
2e3 = 2000 ?
1e-3 = 1/1000
2.5e-3 = 1/400
d/dx x^2 = refuse
\frac{d}{dx} x^2 = refuse
\frac{dy}{dx} = refuse
dy/dx = refuse
f(x) = refuse
f(x+1) = refuse
sigma(x) = refuse
σ(x) = refuse
Var(x) = refuse
cos(x) = refuse
sin x = refuse
E[x] = refuse
P(x) = refuse
x' = refuse
x_1y = refuse
nd = n*d
n d = n*d
dn = d*n
d_kh = d_k*h ?
hd_k = h*d_k
d_{k}h = d_k*h
h d_k^2 = h*d_k^2
h·d_k = h*d_k
h×d_k = h*d_k
|x| = x
|-x| = x
|x||y| = x*y ?
|x|y|x| = x*x*y ?
|x-1|+1 = abs(x-1)+1
max(x,y) = max(x,y)
max(x, y) = max(x,y)
max x, y = refuse
2*-3 = -6 ?
x - -y = x+y ?
2--3 = 5 ?
x±1 = refuse
n!! = refuse
n... = refuse
1+2+...+n = refuse
x % d = refuse
7 mod 4 = 3 ?
6:2 = refuse
\frac{1}{2}x = x/2
\frac12x = x/2
\frac12 x = x/2
\frac{n(n+1)}{2} = n*(n+1)/2
\frac n2 = n/2
\frac{x}{y}t = x/y*t
2\frac12 = refuse
2\frac{1}{2} = refuse
\ln x = ln(x)
\ln 2x = refuse
\ln xy = refuse
\ln{2x} = refuse
\ln(2x) = ln(2*x)
\ln\left(2x\right) = ln(2*x)
\ln x^2 = 2*ln(x)
\ln d^2 = 2*ln(d)
\ln \frac{x}{y} = ln(x/y)
\ln\frac{x}{y}t = refuse
\ln(x+1)^2 = refuse
\ln^2 x = ln(x)^2
\ln^{-1} x = refuse
\exp x y = refuse
\exp(x)y = exp(x)*y ?
\exp x^2 = exp(x^2)
\sqrt{2}x = sqrt(2)*x
\sqrt{2x} = sqrt(2*x)
\sqrt 2x = refuse
\sqrt{d_k} = sqrt(d_k)
\frac{1}{\sqrt{d}} = 1/sqrt(d)
e^{xy} = exp(x*y)
e^{x}y = exp(x)*y
e^xy + \ln x = refuse
x\cdot y = x*y
x \times y = x*y
2\,x = 2*x
x^{2}y = x^2*y
x^{1/2} = sqrt(x) ?
x^{(2)} = x^2 ?
\log_28 = refuse
\log_{2}8 = 3 ?
（ｎ＋１）／２ = (n+1)/2
１／２ｎ = refuse
ｎ（ｎ＋１） = n*(n+1)
２×ｎ = 2*n
n（n+1）÷2 = n*(n+1)/2
""",
    ),
    (
        MODEL,
        r"""
d_model/h = d_model/h
d_{model}/h = d_model/h
d_{\text{model}}/h = d_model/h
\frac{d_{\mathrm{model}}}{h} = d_model/h
4d_model^2 = 4*d_model^2
4 d_model^2 = 4*d_model^2
4d_model(d_model+1) = 4*d_model*(d_model+1) ?
hd_k = h*d_k
B T d_model = B*T*d_model
BTd_model = B*T*d_model
BT d_k/h = B*T*d_k/h
B·T·h = B*T*h
d_model/hd_k = refuse
d_k/2h = refuse
""",
    ),
    (
        LETTERS,
        r"""
f(x) = refuse
f(x+y) = refuse
2f(x) = refuse
f*f(a) = refuse
g(2) = refuse
f*(x+y) = f*(x+y)
fx = f*x
d/dx x^2 = refuse
\frac{d}{dx} x^2 = refuse
\frac{d}{dx}(x^2) = refuse
\frac{dx}{dy} = refuse
E[x] = refuse
E[x+y] = refuse
a(x+y) = a*(x+y)
ax = a*x
""",
    ),
    ({"x_1": "positive", "x": "positive"}, "x_12 = refuse\nx_1x = x_1*x ?\nx_1 x = x_1*x\n"),
    (
        {"n": "size", "d": "size", "nd": "size", "x": "real", "e": "real"},
        r"""
nd = nd
2nd = 2*nd
n d = n*d
n*d = n*d
e^2 = e^2
2e = 2*e
""",
    ),
)

# Answers only: separators, lists, units, suffixes, per cent.
ANSWERS: tuple[tuple[Mapping[str, str], str], ...] = (
    (
        NONE,
        r"""
1,234 = 1234
1 234 = 1234
1_234 = 1234
1{,}234 = 1234
1\,234 = 1234
32,\!349 = 32349
4,194,304 = 4194304
4 194 304 = 4194304
4，194，304 = 4194304
4,194,30 = refuse
1、234 = refuse
1,23 = refuse
1,5 = refuse
0,5 = refuse
12,5 = refuse
(1,234) = (1, 234)
(32,128,768) = (32, 128, 768)
32x128x768 = 3145728 ?
(1, 2) = (1, 2)
[1, 2] = (1, 2) ?
[1, 2, 3] = (1, 2, 3)
（1，2） = (1, 2)
1、2、3 = (1, 2, 3)
1, 2 = (1, 2)
50% = 1/2
50 % = 1/2
50\% = 1/2
５０％ = 1/2
12.5% = 1/8
50%% = refuse
7 % (4) = refuse
7%4 = refuse
7 % 4 = refuse
0.5 (50%) = refuse
0.5(50%) = refuse
3 (4) = refuse
½ = 1/2
2½ = 5/2
2 ½ = 5/2 ?
2 1/2 = refuse
2\frac12 = refuse
1/2 = 1/2
-1/2 = -1/2
1 / 2 = 1/2
.5 = 1/2
0.5 = 1/2
5e-1 = 1/2
1e3 = 1000
1E3 = 1000
4.2M = 4200000
4k = 4000
4.2e6 = 4200000
4.2×10^6 = 4200000
4.2*10^6 = 4200000
4.2 x 10^6 = 4200000
4.2·10⁶ = 4200000
10^-3 = 1/1000
10⁻³ = 1/1000
2^10 = 1024
2^{10} = 1024
2**10 = 1024
0x10 = refuse
2x3 = 6 ?
2×3 = 6
2·3 = 6
2*3 = 6
5! = 120
3!! = refuse
ln 2 = ln(2)
ln2 = ln(2) ?
log 2 = ln(2)
log_2 8 = 3
2 ln 2 = 2*ln(2)
2ln2 = 2*ln(2) ?
ln 2 / 2 = ln(2)/2 ?
ln(2)/2 = ln(2)/2
√2/2 = sqrt(2)/2 ?
1/√2 = 1/sqrt(2)
e^2 = exp(2)
1/(1+e^2) = 1/(1+exp(2))
1/1+e^2 = 1+exp(2)
1/e^2 = exp(-2)
e^-2 = exp(-2)
e^1/2 = refuse
2e+3 = 2000 ?
-2^2 = -4
100 - 20% = 499/5 ?
2,345.5 = 4691/2
1.234.567 = refuse
1 000,5 = refuse
10 000 = 10000
1 23 = refuse
1'234 = 1234 ?
1.234 = 617/500
±2 = refuse
1~3 = refuse
8:2 = refuse
6÷2(1+2) = refuse
""",
    ),
    (
        PLAIN,
        r"""
50% x = x/2 ?
50%x = refuse
x% = x/100
n! = n! ?
2n! = 2*n! ?
(n, d) = (n, d)
n, d = (n, d)
n、d = (n, d)
n x d = refuse
n×d = n*d
1,234n = 1234*n
1、234n = refuse
2k = 2000 ?
1,5d = refuse
0,5 d = refuse
2*1,5 = refuse
""",
    ),
    ({"n": "size", "d": "size"}, "n x d = n*d ?\nnxd = n*d ?\n4 x d = 4*d ?\n2k = 2000 ?\n"),
    ({"n": "size", "C": "real", "C_n": "real"}, "C_n^2 = refuse\nC(n+1) = C*(n+1)\n"),
    (
        {"z": "vector", "X": "matrix", "n": "size", "i": "index"},
        "z_{2i} = z[2*i] ?\nX_{12} = X[1,2] ?\nX_{in} = X[i,n] ?\nz_i^2 = z[i]^2\n",
    ),
    ({"k": "size"}, "2k = 2*k\n4 k = 4*k\n"),
)


def rows() -> Iterator[Row]:
    """All rows."""
    for files, groups in ((True, BOTH), (False, ANSWERS)):
        for names, listed in groups:
            for entry in listed.strip().splitlines():
                text, _, meaning = entry.rpartition(" = ")
                either = meaning.endswith(" ?")
                yield Row(text, names, meaning.removesuffix(" ?"), either, files)
