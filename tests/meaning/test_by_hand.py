# ruff: noqa: E501
"""Small derivations written to get a false verdict, with the verdicts that are right.

A case is a name, what is declared and supposed (`!` stands before what is supposed), the claim, the lines, and the
verdicts on the whole that are right: P proved, N needs, R refuted, U unknown, X unreadable. `=` for the lines stands
for the claim's two sides. What holds wherever it has a value, but lacks one somewhere, is never P and never R; what has
no model at all is never R; what holds and has a value everywhere is never N, since nothing is to be supposed.
"""

from __future__ import annotations

import random

import pytest

from tests.meaning.expressions import Unreadable, read_problem
from tests.meaning.judging import FALSE, findings, said_of

VERDICTS = {"P": "proved", "N": "needs", "R": "refuted", "U": "unknown", "X": "unreadable"}

X = "x : real"
XY = "x : real; y : real"
NX = "n : size; x : real"
K = "k : integer; x : real"
Z = "n : size; z : real[n]; i : index[n]"
ZW = "n : size; z : real[n]; w : real[n]; i : index[n]; c : real"
ZX = Z + "; x : real"
ZK = Z + "; k : integer"
IJ = "n : size; i : index[n]; j : index[n]; x : real"
U = "n : size; u : real[n - 1]; i : index[n]; t : index[n - 1]"
A = "n : size; m : size; A : real[n, m]; i : index[n]; j : index[m]"
P = "p : positive; q : positive"
NO = "NUX"  # no value somewhere, and true where there is one
YES = "PU"
NEVER_REFUTED = "PNUX"

Case = tuple[str, str, str, "list[str] | str", str]

CASES: list[Case] = [
    # the claim is checked like a line
    ("zero over a number", X, "0/x = 0", ["0", "= 0"], NO),
    ("the claim has no value at all", "", "1/0 - 1/0 + ln(-1)*0 = 0", ["0", "= 0"], NO),
    ("no value in passing", X, "x = x", ["x", "= x + 0/0", "= x"], NO),
    ("a difference of what has no value", X, "1/x - 1/x = 0", ["0", "= 0"], NO),
    ("no times a logarithm", X, "0*ln(x) = 0", ["0", "= 0"], NO),
    ("a root less itself", X, "sqrt(x) - sqrt(x) = 0", ["0", "= 0"], NO),
    ("no times a negative power", X, "x^(-1)*0 = 0", ["0", "= 0"], NO),
    ("the power 0 of what has no value", X, "(1/x)^0 = 1", ["1", "= 1"], NO),
    ("the power 0 of a logarithm", X, "ln(x)^0 = 1", "=", NO),
    ("a negative power of 0", "", "0^(-1) = 0^(-1)", "=", NO),
    ("one over the negative power of 0", "", "1/0^(-1) = 0", "=", NO),
    ("a fraction that the lines leave out", XY, "(x*y)/y = x", ["x", "= x"], NO),
    ("a fraction that the lines leave out, from the right", XY, "x = (x*y)/y", ["x", "= x"], NO),
    ("a term that the lines leave out", XY, "x + 0/y = x", ["x", "= x"], NO),
    ("a branch that the lines leave out", NX, "if(n = 1, 0/x, 0) = 0", ["0", "= 0"], NO),
    ("an entry that the lines leave out", Z, "z[n + 1] - z[n + 1] = 0", ["0", "= 0"], NO),
    ("a sum that the lines leave out", Z, "sum(j = 0..n, z[j] - z[j]) = 0", ["0", "= 0"], NO),
    ("only the right side lacks a value", XY, "x = x*y/y", ["x", "= x*y/y"], NO),
    ("an inequality without a value", X, "0 <= 1 + 0/x", ["0", "<= 1"], NO),
    ("an inequality without a value, strict", X, "0*ln(x) < 1", ["0", "< 1"], NO),
    ("the maximum of what has no value and more", X, "max(0*ln(x), 1) = 1", ["1", "= 1"], NO),
    # fractions
    ("cancel", XY, "x*y/x = y", "=", NO),
    ("cancel with the condition", XY + "; ! x != 0", "x*y/x = y", "=", "P"),
    ("cancel with the condition for the other one", XY + "; ! y != 0", "x*y/x = y", "=", NO),
    ("a number over itself", X, "x/x = 1", "=", NO),
    ("0 over 0", "", "0/0 = 1", "=", NO),
    ("0 over 0 is 0", "", "0/0 = 0", "=", NO),
    ("a difference of equal ones below", X, "1/(x - x) = 5", "=", NO),
    ("0 over a difference of equal ones", X, "0/(x - x) + x = x + 1", "=", NO),
    ("a double fraction", X, "1/(1/x) = x", "=", NO),
    ("a double fraction with its condition", X + "; ! x != 0", "1/(1/x) = x", "=", "P"),
    ("a fraction in a fraction hides a zero", XY + "; ! x != 0", "x/(x/y) = y", "=", NO),
    ("signs of a sum of squares", XY, "1/(x^2 + y^2 + 1) = 1/(1 + x^2 + y^2)", "=", YES),
    ("a sum of squares may be 0", XY, "1/(x^2 + y^2) = 1/(y^2 + x^2)", "=", NO),
    ("a sum of squares that isn't 0", XY + "; ! x != 0", "1/(x^2 + y^2) = 1/(y^2 + x^2)", "=", YES),
    ("different numbers", XY + "; ! x != y", "(x - y)/(x - y) = 1", "=", YES),
    ("different numbers, different squares", XY + "; ! x != y", "(x^2 - y^2)/(x^2 - y^2) = 1", "=", NO),
    ("different squares", XY + "; ! x != y; ! x != -y", "(x^2 - y^2)/(x^2 - y^2) = 1", "=", YES),
    ("a factor of the difference of squares", XY + "; ! x != y", "(x^2 - y^2)/(x - y) = x + y", "=", YES),
    ("a square that isn't 0", X + "; ! x^2 != 0", "x/x = 1", "=", YES),
    ("a product that isn't 0", XY + "; ! x*y != 0", "x/x = y/y", "=", YES),
    ("a positive product", XY + "; ! 0 < x*y", "x/y = x/y", "=", YES),
    ("a product that is 1", XY + "; ! x*y = 1", "x = 1/y", "=", YES),
    ("the larger of a number and its opposite", X + "; ! x != 0", "1/max(x, -x) = 1/max(-x, x)", "=", YES),
    ("a perfect square below", "b : real; ! b != 1", "1/(b^2 - 2*b + 1) = 1/(b - 1)^2", "=", YES),
    ("exp less 1", X, "(exp(x) - 1)/(exp(x) - 1) = 1", "=", NO),
    ("exp less 1, away from 0", X + "; ! x != 0", "(exp(x) - 1)/(exp(x) - 1) = 1", "=", YES),
    ("exp plus 1", X, "1/(exp(x) + 1) + exp(x)/(exp(x) + 1) = 1", "=", YES),
    ("a false sum of fractions", XY, "1/(x + y) = 1/x + 1/y", "=", "R"),
    ("a fraction upside down", X, "1/x = x", "=", "R"),
    ("a fraction that is 0", X, "x/x = 0", "=", "R"),
    ("1/x below x", X, "x <= x + 1/x", "=", "RNU"),
    ("squares below", X, "0 <= 1/x^2", "=", NO),
    ("squares below, away from 0", X + "; ! x != 0", "0 <= 1/x^2", "=", YES),
    # logarithms and roots
    ("exp of ln", X, "exp(ln(x)) = x", "=", NO),
    ("exp of ln, positive", X + "; ! 0 < x", "exp(ln(x)) = x", "=", "P"),
    ("exp of ln, not negative", X + "; ! 0 <= x", "exp(ln(x)) = x", "=", NO),
    ("exp of ln, not 0", X + "; ! x != 0", "exp(ln(x)) = x", "=", NO),
    ("ln of exp", X, "ln(exp(x)) = x", "=", "P"),
    ("ln of a square", X, "ln(x^2) = 2*ln(x)", "=", NO),
    ("ln of a square, not 0", X + "; ! x != 0", "ln(x^2) = 2*ln(x)", "=", NO),
    ("ln of a square, positive", X + "; ! 0 < x", "ln(x^2) = 2*ln(x)", "=", YES),
    ("ln of a positive product", XY + "; ! 0 < x*y", "ln(x*y) = ln(x) + ln(y)", "=", NO),
    ("ln of a product of positives", P, "ln(p*q) = ln(p) + ln(q)", "=", "P"),
    ("ln of a quotient of positives", P, "ln(p/q) = ln(p) - ln(q)", "=", "P"),
    ("ln of a difference of positives", P, "ln(p - q) = ln(p - q)", "=", NO),
    ("ln of a sum", XY, "ln(x + y) = ln(x) + ln(y)", "=", "R"),
    ("ln of what is below 0", X, "ln(-exp(x)) = 1", "=", NO),
    ("ln of 0", "", "ln(0) = ln(0)", "=", NO),
    ("ln of ln", X + "; ! 0 < x", "exp(ln(ln(x))) = ln(x)", "=", NO),
    ("ln of ln above 1", X + "; ! 1 < x", "exp(ln(ln(x))) = ln(x)", "=", YES),
    ("one over ln", X + "; ! 0 < x", "ln(x)/ln(x) = 1", "=", NO),
    ("one over ln away from 1", X + "; ! 0 < x; ! x != 1", "ln(x)/ln(x) = 1", "=", YES),
    ("ln of 1 and exp", X, "ln(1 + exp(x)) = ln(exp(x) + 1)", "=", "P"),
    ("ln of 1 less exp", X, "ln(1 - exp(x)) = ln(1 - exp(x))", "=", NO),
    ("ln of 1 less exp, negative", X + "; ! x < 0", "ln(1 - exp(x)) = ln(1 - exp(x))", "=", YES),
    ("ln is below its argument", X, "ln(x) <= x", "=", NO),
    ("exp of ln is positive", X, "0 < exp(ln(x))", "=", NO),
    ("a root squared", X, "sqrt(x)^2 = x", "=", NO),
    ("a root squared, not negative", X + "; ! 0 <= x", "sqrt(x)^2 = x", "=", "P"),
    ("the root of a square", X, "sqrt(x^2) = x", "=", "R"),
    ("the root of a square is the larger", X, "sqrt(x^2) = max(x, -x)", "=", YES),
    ("the root of a positive product", XY + "; ! 0 <= x*y", "sqrt(x*y) = sqrt(x)*sqrt(y)", "=", NO),
    ("the root of a sum", XY, "sqrt(x + y) = sqrt(x) + sqrt(y)", "=", "R"),
    ("a root over itself", X + "; ! 0 <= x", "sqrt(x)/sqrt(x) = 1", "=", NO),
    ("the root of what is below 0", X, "sqrt(-1 - x^2) = x", "=", NO),
    ("the root that exists at 0 only", X, "sqrt(-x^2) = 0", "=", NO),
    ("a root of 1 less a square", X, "sqrt(1 - x^2) = sqrt(1 - x*x)", "=", NO),
    ("a root of a sum of squares", XY, "sqrt(x^2 + y^2) = sqrt(y^2 + x^2)", "=", YES),
    ("roots aren't negative", X, "0 <= sqrt(x)", "=", NO),
    ("below the root of the square and 1", X, "x < sqrt(x^2 + 1)", "=", YES),
    ("a half as an exponent", X, "(x^2)^(1/2) = x", "=", "RUX"),
    # powers
    ("the power 0", X, "x^0 = 1", "=", YES),
    ("0 to the power 0", "", "0^0 = 1", "=", YES),
    ("0 to a size", NX, "0^n = 0", "=", YES),
    ("0 to a size less 1", NX, "0^(n - 1) = 0", "=", "RU"),
    ("0 to an integer", K, "0^k = 0", "=", "RNU"),
    ("a power over itself", NX, "x^n/x^n = 1", "=", NO),
    ("one step down in a power", NX, "x^(n - 1)*x = x^n", "=", YES),
    ("two steps down in a power", NX, "x^(n - 2)*x^2 = x^n", "=", NO),
    ("opposite powers", K, "x^k*x^(-k) = 1", "=", NO),
    ("opposite powers, not 0", K + "; ! x != 0", "x^k*x^(-k) = 1", "=", YES),
    ("opposite powers of 2", K, "2^k*2^(-k) = 1", "=", YES),
    ("an odd number below", K, "(2*k + 1)/(2*k + 1) = 1", "=", "PUN"),
    ("a power of a sum", XY, "(x + y)^2 = x^2 + y^2", "=", "R"),
    ("a power of a fraction", XY, "(x/y)^2 = x^2/y^2", "=", NO),
    ("a power of a size", "n : size; k : integer", "n^k*n^(-k) = 1", "=", YES),
    ("the powers -1 and 1", X, "x^(-1)*x = 1", "=", NO),
    ("the power -1 twice", X, "(x^(-1))^(-1) = x", "=", NO),
    # sums and maxima
    ("a sum of fractions", Z, "sum(j = 1..n, 1/z[j]) = sum(k = 1..n, 1/z[k])", "=", NO),
    ("a sum of fractions with its condition", Z + "; ! z[j] != 0 for all j : index[n]", "sum(j = 1..n, 1/z[j]) = sum(k = 1..n, 1/z[k])", "=", "P"),
    ("a sum of fractions, the last one open", Z + "; ! z[j] != 0 for all j : index[n - 1]", "sum(j = 1..n, 1/z[j]) = sum(k = 1..n, 1/z[k])", "=", NO),
    ("a sum of fractions, only one settled", Z + "; ! z[i] != 0", "sum(j = 1..n, 1/z[j]) = sum(k = 1..n, 1/z[k])", "=", NO),
    ("a shorter sum of fractions", Z + "; ! z[j] != 0 for all j : index[n - 1]", "sum(j = 1..n - 1, 1/z[j]) = sum(k = 1..n - 1, 1/z[k])", "=", YES),
    ("a sum of cancelled fractions", Z, "sum(j = 1..n, z[j]/z[j]) = n", "=", NO),
    ("a sum of what has no value, 0 times", Z, "0*sum(j = 1..n, ln(z[j])) = 0", "=", NO),
    ("an empty sum of what has no value", "", "sum(j = 1..0, 1/0) = 0", "=", YES),
    ("an empty sum of logarithms", "", "sum(j = 2..1, ln(-j)) = 0", "=", YES),
    ("an empty maximum", "", "max(j = 1..0, j) = 0", "=", NO),
    ("an empty maximum of one name", X, "max(j = 2..1, x) = x", "=", NO),
    ("a maximum from 2", Z, "max(j = 2..n, z[j]) = max(k = 2..n, z[k])", "=", NO),
    ("a maximum from 2 where there are two", Z + "; ! 2 <= n", "max(j = 2..n, z[j]) = max(k = 2..n, z[k])", "=", YES),
    ("a maximum of zeros", "n : size", "max(j = 1..n, 0) = 0", "=", YES),
    ("a maximum of zeros up to the last but one", "n : size", "max(j = 1..n - 1, 0) = 0", "=", NO),
    ("a maximum less itself", "n : size; z : real[n]", "max(j = 1..n - 1, z[j]) - max(j = 1..n - 1, z[j]) = 0", ["0", "= 0"], NO),
    ("a maximum over z and one more", Z, "max(j = 1..n + 1, z[j]) = max(k = 1..n + 1, z[k])", "=", NO),
    ("a sum from 0, shifted", Z, "sum(j = 0..n - 1, z[j + 1]) = sum(j = 1..n, z[j])", "=", YES),
    ("a sum from 0", Z, "sum(j = 0..n, z[j]) = z[0] + sum(j = 1..n, z[j])", "=", NO),
    ("a sum one too far", Z, "sum(j = 1..n + 1, z[j]) = sum(j = 1..n, z[j]) + z[n + 1]", "=", NO),
    ("a sum up to the last but one", Z, "sum(j = 1..n - 1, z[j] - z[j]) = 0", "=", YES),
    ("a sum of differences outside", Z, "sum(j = 1..n, z[j + 1] - z[j + 1]) = 0", "=", NO),
    ("a sum shifted out", Z, "sum(j = 1..n, z[j + 1]) = sum(j = 1..n, z[j])", "=", NO),
    ("a telescope", Z, "sum(j = 1..n - 1, z[j + 1] - z[j]) = z[n] - z[1]", "=", YES),
    ("a telescope one too far", Z, "sum(j = 1..n, z[j + 1] - z[j]) = z[n + 1] - z[1]", "=", NO),
    ("a sum from the last but one", Z, "sum(j = n - 1..n, z[j]) = z[n - 1] + z[n]", "=", NO),
    ("a sum from the last but one, two there", Z + "; ! 2 <= n", "sum(j = n - 1..n, z[j]) = z[n - 1] + z[n]", "=", YES),
    ("the last one split off", Z, "sum(j = 1..n, z[j]) = sum(j = 1..n - 1, z[j]) + z[n]", "=", YES),
    ("the first one split off", Z, "sum(j = 1..n, z[j]) = z[1] + sum(j = 2..n, z[j])", "=", YES),
    ("the first two split off", Z, "sum(j = 1..n, z[j]) = z[1] + z[2] + sum(j = 3..n, z[j])", "=", NO),
    ("split at an index", Z, "sum(j = 1..i, z[j]) + sum(j = i + 1..n, z[j]) = sum(j = 1..n, z[j])", "=", YES),
    ("split at any integer", ZK, "sum(j = 1..k, z[j]) + sum(j = k + 1..n, z[j]) = sum(j = 1..n, z[j])", "=", NO),
    ("split at any integer, constant", K + "; n : size", "sum(j = 1..k, x) + sum(j = k + 1..n, x) = n*x", "=", "RNU"),
    ("a constant k times", K, "sum(j = 1..k, x) = k*x", "=", "RU"),
    ("a constant n less 1 times", NX, "sum(j = 1..n - 1, x) = (n - 1)*x", "=", YES),
    ("a constant n less 2 times", NX, "sum(j = 1..n - 2, x) = (n - 2)*x", "=", "RU"),
    ("one over the indices", "n : size", "sum(j = 1..n, 1/j) = sum(k = 1..n, 1/k)", "=", "P"),
    ("one over the indices from 0", "n : size", "sum(j = 0..n, 1/j) = sum(k = 0..n, 1/k)", "=", NO),
    ("one over the indices less 1", "n : size", "sum(j = 1..n, j/(j - 1)) = sum(k = 1..n, k/(k - 1))", "=", NO),
    ("one over a difference of indices", IJ, "sum(k = 1..n, 1/(k - i)) = sum(l = 1..n, 1/(l - i))", "=", NO),
    ("one over a difference of later indices", IJ, "sum(k = i + 1..n, 1/(k - i)) = sum(l = i + 1..n, 1/(l - i))", "=", YES),
    ("nested, one over the difference", "n : size", "sum(j = 1..n, sum(k = 1..j - 1, 1/(j - k))) = sum(k = 1..n, sum(j = 1..k - 1, 1/(k - j)))", "=", YES),
    ("nested, one over the difference with the diagonal", "n : size", "sum(j = 1..n, sum(k = 1..j, 1/(j - k))) = sum(k = 1..n, sum(j = 1..k, 1/(k - j)))", "=", NO),
    ("nested, one over an entry", Z, "sum(j = 1..n, sum(k = 1..j, 1/z[k])) = sum(l = 1..n, sum(k = 1..l, 1/z[k]))", "=", NO),
    ("nested, one over an entry that isn't 0", Z + "; ! z[j] != 0 for all j : index[n]", "sum(j = 1..n, sum(k = 1..j, 1/z[k])) = sum(l = 1..n, sum(k = 1..l, 1/z[k]))", "=", YES),
    ("nested, one too far", Z, "sum(j = 1..n, sum(k = j..n + 1, z[k])) = sum(l = 1..n, sum(k = l..n + 1, z[k]))", "=", NO),
    ("nested, a root of a sum", Z, "sum(j = 1..n, sqrt(sum(k = 1..j, z[k]^2))) = sum(l = 1..n, sqrt(sum(k = 1..l, z[k]^2)))", "=", YES),
    ("nested, a root of a signed sum", Z, "sum(j = 1..n, sqrt(sum(k = 1..j, z[k]))) = sum(l = 1..n, sqrt(sum(k = 1..l, z[k])))", "=", NO),
    ("ln of a sum of exponentials", Z, "ln(sum(j = 1..n, exp(z[j]))) = ln(sum(k = 1..n, exp(z[k])))", "=", "P"),
    ("ln of a shorter sum of exponentials", Z, "ln(sum(j = 1..n - 1, exp(z[j]))) = ln(sum(k = 1..n - 1, exp(z[k])))", "=", NO),
    ("ln of a shorter sum, two there", Z + "; ! 2 <= n", "ln(sum(j = 1..n - 1, exp(z[j]))) = ln(sum(k = 1..n - 1, exp(z[k])))", "=", YES),
    ("one over a sum of squares", Z, "1/sum(j = 1..n, z[j]^2) = 1/sum(k = 1..n, z[k]^2)", "=", NO),
    ("a mean without those there", Z, "sum(j = 2..n, z[j])/(n - 1) = sum(k = 2..n, z[k])/(n - 1)", "=", NO),
    ("one over a size", NX, "n*x/n = x", "=", "P"),
    ("one over a size less 1", NX, "(n - 1)*x/(n - 1) = x", "=", NO),
    ("one over a size less an index", IJ, "(n - i)*x/(n - i) = x", "=", NO),
    ("one over a size less an index plus 1", IJ, "(n - i + 1)*x/(n - i + 1) = x", "=", YES),
    # branches
    ("a branch that isn't reached", NX, "if(1 <= n, x, 1/0) = x", "=", YES),
    ("a first branch that isn't reached", NX, "if(n < 1, 1/0, x) = x", "=", YES),
    ("a branch outside of an index", IJ, "if(i <= n, x, ln(-1)) = x", "=", YES),
    ("the branch that is reached has no value", NX, "if(n < 1, x, 1/0) = x", "=", NO),
    ("the first branch guards the second", Z, "if(i = 1, 0, z[i - 1]) = if(i = 1, 0, z[i - 1])", "=", YES),
    ("the branches are turned", Z, "if(i = 1, z[i - 1], 0) = if(i = 1, z[i - 1], 0)", "=", NO),
    ("a guarded difference", IJ, "if(i != j, (i - j)/(i - j), 1) = 1", "=", YES),
    ("a difference guarded the wrong way", IJ, "if(i = j, (i - j)/(i - j), 1) = 1", "=", NO),
    ("a guarded size less 1", "n : size", "if(n = 1, 0, (n - 1)/(n - 1)) = if(n = 1, 0, 1)", "=", YES),
    ("a size less 1 guarded the wrong way", "n : size", "if(n = 1, 1/(n - 1), 0) = 0", "=", NO),
    ("a guarded neighbour in a sum", Z, "sum(j = 1..n, if(j = 1, 0, z[j - 1])) = sum(j = 1..n - 1, z[j])", "=", YES),
    ("a neighbour in a sum guarded the wrong way", Z, "sum(j = 1..n, if(j = 1, z[j - 1], 0)) = 0", "=", NO),
    ("one selected term", Z, "sum(j = 1..n, if(j = i, z[j], 0)) = z[i]", "=", YES),
    ("one selected term, the others without a value", Z, "sum(j = 1..n, if(j = i, z[j], 0/0)) = z[i]", "=", NO),
    ("the same in both branches", NX, "if(n = 1, 1/x, 1/x) = 1/x", "=", NO),
    ("a condition with an outer guard", NX + "; ! 2 <= n", "if(n = 1, 1/0, x) = x", "=", YES),
    ("guards in guards", NX, "if(n = 1, x, if(n = 1, 1/0, x)) = x", "=", YES),
    ("guards against each other", NX, "if(n = 1, if(n = 2, 1/0, x), x) = x", "=", YES),
    ("a false branch with a value", "n : size; x : real; y : real", "if(n < 1, x, y) = x", "=", "R"),
    # vectors, entry by entry
    ("logarithms of a vector", Z, "ln(z) - ln(z) + 0/z = 0*z", "=", NO),
    ("logarithms of a positive vector", Z + "; ! 0 < z[j] for all j : index[n]", "ln(z) - ln(z) + 0/z = 0*z", "=", YES),
    ("logarithms of a vector without 0", Z + "; ! z[j] != 0 for all j : index[n]", "ln(z) - ln(z) + 0/z = 0*z", "=", NO),
    ("a fraction of a vector without 0", Z + "; ! z[j] != 0 for all j : index[n]", "0/z = 0*z", "=", YES),
    ("exp of ln of a vector", Z, "exp(ln(z)) = z", "=", NO),
    ("a root of a squared vector", Z, "sqrt(z^2) = z", "=", "R"),
    ("a vector over a number", ZX, "x*z/x = z", "=", NO),
    ("a vector over 0 less itself", Z, "z/0 - z/0 = 0*z", "=", NO),
    ("a vector and a fraction that falls out", ZX, "z + 0/x = z", "=", NO),
    ("softmax of logarithms", Z, "softmax(ln(z))[i] = z[i]/sum(j = 1..n, z[j])", "=", NO),
    ("softmax of logarithms of positives", Z + "; ! 0 < z[j] for all j : index[n]", "softmax(ln(z))[i] = z[i]/sum(j = 1..n, z[j])", "=", YES),
    ("softmax of logarithms, one positive", Z + "; ! 0 < z[i]", "softmax(ln(z))[i] = z[i]/sum(j = 1..n, z[j])", "=", NO),
    ("softmax of fractions", Z, "softmax(1/z)[i] = softmax(1/z)[i]", "=", NO),
    ("softmax of roots", Z, "softmax(sqrt(z))[i] = softmax(sqrt(z))[i]", "=", NO),
    ("softmax with a temperature", ZX, "softmax(z/x)[i] = softmax(z/x)[i]", "=", NO),
    ("softmax with a temperature that isn't 0", ZX + "; ! x != 0", "softmax(z/x)[i] = softmax(z/x)[i]", "=", "P"),
    ("softmax of nothing but no values", Z, "softmax(0/z)[i] = 1/n", "=", NO),
    ("softmax is 1 in sum, of logarithms", Z, "sum(j = 1..n, softmax(ln(z))[j]) = 1", "=", NO),
    ("softmax shifted by what has no value", ZX, "softmax(z - 1/x)[i] = softmax(z)[i]", "=", NO),
    ("softmax shifted by an entry", Z, "softmax(z - z[n])[i] = softmax(z)[i]", "=", YES),
    ("softmax shifted by an entry outside", Z, "softmax(z - z[n + 1])[i] = softmax(z)[i]", "=", NO),
    ("softmax shifted by an empty maximum", Z, "softmax(z - max(j = 2..n, z[j]))[i] = softmax(z)[i]", "=", NO),
    ("softmax shifted by the maximum", Z, "softmax(z - max(j = 1..n, z[j]))[i] = softmax(z)[i]", "=", YES),
    ("softmax outside", Z, "softmax(z)[n + 1] = softmax(z)[n + 1]", "=", NO),
    ("softmax at 0", Z, "softmax(z)[0] = exp(z[0])/sum(j = 1..n, exp(z[j]))", "=", NO),
    ("a shifted vector outside", ZW, "(z - c)[n + 1] = z[n + 1] - c", "=", NO),
    ("a shifted vector inside", ZW, "(z - c)[i] = z[i] - c", "=", "P"),
    ("the sum of two vectors outside", ZW, "(z + w)[i + 1] = z[i + 1] + w[i + 1]", "=", NO),
    ("one vector is longer", "n : size; z : real[n]; w : real[n + 1]; i : index[n]", "w[i + 1] + z[i] = z[i] + w[i + 1]", "=", "P"),
    ("the longer vector's last index", "n : size; z : real[n]; w : real[n + 1]; i : index[n + 1]", "w[i] + z[i] = z[i] + w[i]", "=", NO),
    # entries and dimensions
    ("the next entry", Z, "z[i + 1] = z[i + 1]", "=", NO),
    ("the next entry, not the last", Z + "; ! i < n", "z[i + 1] = z[i + 1]", "=", YES),
    ("the entry before", Z, "z[i - 1]*0 = 0", "=", NO),
    ("the entry before, not the first", Z + "; ! 2 <= i", "z[i - 1]*0 = 0", "=", YES),
    ("the entry before, not the first, as !=", Z + "; ! i != 1", "z[i - 1]*0 = 0", "=", YES),
    ("an entry outside is another", Z, "z[n + 1] = z[n]", "=", NO),
    ("the second entry", Z, "z[2] - z[2] = 0", "=", NO),
    ("the third of three", "z : real[3]", "z[3] - z[3] = 0", "=", "P"),
    ("the fourth of three", "z : real[3]", "z[4] - z[4] = 0", "=", NO),
    ("softmax of three at four", "z : real[3]", "softmax(z)[4]/softmax(z)[1] = exp(z[4] - z[1])", "=", NO),
    ("the last of a shorter vector", U, "u[n] - u[n] = 0", "=", NO),
    ("the last but one of a shorter vector", U, "u[n - 1] - u[n - 1] = 0", "=", YES),
    ("the same without a bystander that makes it so", "n : size; u : real[n - 1]", "u[n - 1] - u[n - 1] = 0", "=", NO),
    ("an index of the longer vector", U, "u[i] - u[i] = 0", "=", NO),
    ("an index of the shorter vector", U, "u[t] - u[t] = 0", "=", "P"),
    ("an entry of nothing", "w : real[0]", "w[1] = w[1]", "=", NO),
    ("a sum over nothing", "w : real[0]", "sum(j = 1..0, w[j]) = 0", "=", "PUX"),
    ("a matrix turned", A, "A[j, i] = A[j, i]", "=", NO),
    ("a matrix in the right order", A, "A[i, j] = A[i, j]", "=", "P"),
    ("a row summed over the rows", A, "sum(k = 1..n, A[i, k]) = sum(l = 1..n, A[i, l])", "=", NO),
    ("a row summed over the rows, as many", A + "; ! n = m", "sum(k = 1..n, A[i, k]) = sum(l = 1..n, A[i, l])", "=", YES),
    ("a row summed over the rows, fewer", A + "; ! n <= m", "sum(k = 1..n, A[i, k]) = sum(l = 1..n, A[i, l])", "=", YES),
    ("a row summed over the rows, more", A + "; ! m <= n", "sum(k = 1..n, A[i, k]) = sum(l = 1..n, A[i, l])", "=", NO),
    ("a product of matrices with the wrong inner size", A, "sum(k = 1..m, A[i, k]*A[k, j]) = sum(l = 1..m, A[i, l]*A[l, j])", "=", NO),
    ("a trace of what isn't square", A, "sum(k = 1..n, A[k, k]) = sum(l = 1..n, A[l, l])", "=", NO),
    ("twice the index", Z, "z[2*i] - z[2*i] = 0", "=", NO),
    ("the index from the end", Z, "z[n + 1 - i] - z[n + 1 - i] = 0", "=", YES),
    ("the index from the end, off by one", Z, "z[n - i] - z[n - i] = 0", "=", NO),
    ("a sum from the end", Z, "sum(j = 1..n, z[n + 1 - j]) = sum(j = 1..n, z[j])", "=", YES),
    ("a sum from the end, off by one", Z, "sum(j = 1..n, z[n - j]) = sum(j = 1..n, z[j])", "=", NO),
    # bystanders
    ("a bystander below n", "n : size; t : index[n - 1]", "4 <= 2^n", "=", YES),
    ("a bystander below n, a false claim", "n : size; t : index[n - 1]", "n = 1", "=", "RU"),
    ("a bystander makes n at least 2", "n : size; t : index[n - 1]", "1 <= n - 1", "=", YES),
    ("a dimension is at least 0", "n : size; u : real[n - 2]", "2 <= n", "=", YES),
    ("a dimension may be 0", "n : size; u : real[n - 2]", "3 <= n", "=", "RU"),
    ("an index of nothing", "t : index[0]; x : real", "x = x + 1", "=", "PUX"),
    ("an index of a hidden nothing", "n : size; t : index[n - n]; x : real", "x = x + 1", "=", "PUX"),
    ("a bystander gives a value", "n : size; t : index[n - 3]; x : real", "(n - 3)*x/(n - 3) = x", "=", YES),
    ("an index of an index", "n : size; t : index[n - 1]; s : index[t]", "s <= n - 1", "=", YES),
    ("an index of an index, too low", "n : size; t : index[n - 1]; s : index[t]", "s <= n - 2", "=", "RU"),
    ("a bystander vector of an odd length", "n : size; m : size; w : real[n - m]; x : real", "m <= n", "=", YES),
    # what is supposed contradicts itself, or has no value itself
    ("two bounds that exclude each other", X + "; ! x < 1; ! 2 < x", "x = x + 1", "=", YES),
    ("different from itself", X + "; ! x != x", "1 = 2", "=", YES),
    ("a square below 0", X + "; ! x^2 = -1", "x = 5", "=", NEVER_REFUTED),
    ("exp is 0", X + "; ! exp(x) = 0", "x = 1", "=", NEVER_REFUTED),
    ("a size that is 0", "n : size; x : real; ! n = 0", "x = 2", "=", YES),
    ("an index below 1", Z + "; ! i < 1", "z[i] = 2", "=", YES),
    ("a root below 0", X + "; ! sqrt(x) = -1", "x = 1", "=", NEVER_REFUTED),
    ("a fraction is 0", X + "; ! 1/x = 0", "x = 1", "=", NEVER_REFUTED),
    ("a fraction is not equal to itself", X + "; ! 1/x != 1/x", "x = 1", "=", NEVER_REFUTED),
    ("equal logarithms", XY + "; ! ln(x) = ln(y)", "x = y", "=", NEVER_REFUTED),
    ("equal fractions", XY + "; ! 1/x = 1/y", "x = y", "=", NEVER_REFUTED),
    ("equal roots", XY + "; ! sqrt(x) = sqrt(y)", "x = y", "=", NEVER_REFUTED),
    ("a quotient of 1", XY + "; ! x/y = 1", "x = y", "=", NEVER_REFUTED),
    ("a fraction equal to itself", X + "; ! 1/x = 1/x", "x/x = 1", "=", NEVER_REFUTED),
    ("no times a logarithm is 0", X + "; ! 0*ln(x) = 0", "exp(ln(x)) = x", "=", NEVER_REFUTED),
    ("an entry outside is 0", Z + "; ! z[n + 1] = 0", "1 = 2", "=", NEVER_REFUTED),
    ("an entry outside isn't 0", Z + "; ! z[0] != 0", "z[1] = 0", "=", NEVER_REFUTED),
    ("for all up to one too far", Z + "; ! z[j] = 1 for all j : index[n + 1]", "z[1] = 2", "=", NEVER_REFUTED),
    ("equal neighbours", Z + "; ! z[j + 1] = z[j] for all j : index[n - 1]", "z[2] - z[1] = 0", "=", NO),
    ("equal neighbours, one too far", Z + "; ! z[j + 1] = z[j] for all j : index[n]", "z[1] = 3", "=", NEVER_REFUTED),
    ("fractions that are 0 in the shorter range", Z + "; ! 1/z[j] = 0 for all j : index[n - 1]", "n = 1", "=", NEVER_REFUTED),
    ("a number that is a fraction", XY + "; ! x = 1/y", "y*x = 1", "=", NEVER_REFUTED),
    ("equal logarithms of vectors", ZW + "; ! ln(z) = ln(w)", "z[i] = w[i]", "=", NEVER_REFUTED),
    ("equal softmax", ZW + "; ! softmax(z) = softmax(w)", "z[i] = w[i]", "=", "RUX"),
    ("a supposed maximum over nothing", Z + "; ! max(j = 1..n - 1, z[j]) = 0", "n = 1", "=", "RU"),
    ("a supposed maximum over nothing, one entry", Z + "; ! max(j = 2..n, z[j]) = 0", "2 <= n", "=", NEVER_REFUTED),
    ("a supposed branch without a value", NX + "; ! if(n = 1, 1/0, x) = 0", "x = 0", "=", NEVER_REFUTED),
    ("a condition with fractions", XY + "; ! x/y < 0", "x*y < 0", "=", NEVER_REFUTED),
    ("positive and below 0", P + "; ! p < 0", "p = q", "=", YES),
    # the chain
    ("from the right side", XY, "x*y/x = y", ["y", "= x*y/x"], NO),
    ("through what has no value and back", XY, "x + y = y + x", ["x + y", "= x*(1/y)*y + y", "= y + x"], NO),
    ("multiplied by a quotient of equals", XY, "x + y = y + x", ["x + y", "= (x + y)*(x/x)", "= y + x"], NO),
    ("0 = 0 times what has no value", X, "0 = 0", ["0", "= 0*(1/x)", "= 0"], NO),
    ("1 = 2 by a division by 0", X, "1 = 2", ["1", "= (x - x)/(x - x)", "= 2*(x - x)/(x - x)", "= 2"], "RNUX"),
    ("a division by what is supposed equal", "a : real; b : real; ! a = b", "2 = 1", ["2", "= 2*b*(a - b)/(b*(a - b))", "= 1"], "RNUX"),
    ("squares and roots", "", "1 = -1", ["1", "= sqrt(1)", "= sqrt((-1)*(-1))", "= sqrt(-1)*sqrt(-1)", "= -1"], "NUX" + "R"),
    ("the same at both ends", X, "x/x = x/x", ["x/x", "= 1", "= x/x"], NO),
    ("one side of a claim is one line", X, "1/x = 1/x", ["1/x"], NO),
    # other forms
    ("a named fraction", "x : real; where m = 1/x", "m - m = 0", "=", NO),
    ("a named fraction that the lines leave out", "x : real; where m = 1/x", "m - m = 0", ["0", "= 0"], NO),
    ("a defined fraction", "x : real; define f(y : real) = 1/y", "f(x)*0 = 0", "=", NO),
    ("a defined fraction at 0", "define f(y : real) = 1/y", "f(0) - f(0) = 0", "=", NO),
    ("a defined logarithm that the lines leave out", "x : real; define g(y : real) = 0*ln(y)", "g(x) = 0", ["0", "= 0"], NO),
    ("a LaTeX fraction that the lines leave out", X, r"$\frac{0}{x} = 0$", ["$0$", "= $0$"], NO),
    ("a LaTeX sum from 0", Z, r"$\sum_{j=0}^{n} z_j = z_0 + \sum_{j=1}^{n} z_j$", [r"$\sum_{j=0}^{n} z_j$", r"= $z_0 + \sum_{j=1}^{n} z_j$"], NO),
    ("a LaTeX root", X, r"$\sqrt{x}^2 = x$", [r"$\sqrt{x}^2$", "= $x$"], NO),
]  # fmt: skip


def text_of(case: Case) -> str:
    _, header, claim, lines, _ = case
    head = []
    for part in filter(None, (p.strip() for p in header.split(";"))):
        if part.startswith("!"):
            head.append(f"suppose {part[1:].strip()}")
        else:
            head.append(part if part.startswith(("where ", "define ")) else f"let {part}")
    if isinstance(lines, str):
        place = next(k for k, c in enumerate(claim) if c in "<=" and claim[:k].count("(") == claim[:k].count(")"))
        lines = [claim[:place].strip(), claim[place:]]
    return "\n".join([*head, f"claim {claim}", "proof", *(f"  {line}" for line in lines)]) + "\n"


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_verdict_is_one_of_the_right_ones(case: Case) -> None:
    text = text_of(case)
    said = said_of(text)
    assert said.whole in {VERDICTS[mark] for mark in case[4]}, f"{said.whole}\n{text}{said.lines}"
    try:
        problem = read_problem(text)
    except Unreadable:
        return
    wrong = [f for f in findings(problem, said, random.Random(case[0]), 40) if f.kind in FALSE]
    assert not wrong, f"{text}{wrong}"


def test_no_case_stands_twice() -> None:
    assert len({case[0] for case in CASES}) == len(CASES) >= 150
    assert len({text_of(case) for case in CASES}) == len(CASES)
