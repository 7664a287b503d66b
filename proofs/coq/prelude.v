(* The real numbers of the proof language, in Coq: finite sums and maxima over integers, and one lemma for each row of
   the table of axioms, proved from Coq's standard library. Nothing is assumed in this file.

   A tensor is a function of its indices. Where the proof language leaves a value open (1/0, the logarithm of a number
   that is not positive, the greatest of no numbers) Coq's functions have some value; a theorem
   that holds whatever the value is holds of that one. *)

From Coq Require Import Reals ZArith Lia Lra FunctionalExtensionality.
Open Scope R_scope.

(* Sums and maxima. Both ends belong to the range; a sum over an empty range is 0. *)

Fixpoint sum_from (lo : Z) (n : nat) (f : Z -> R) : R :=
  match n with
  | O => 0
  | S m => sum_from lo m f + f (lo + Z.of_nat m)%Z
  end.

Definition sum (lo hi : Z) (f : Z -> R) : R := sum_from lo (Z.to_nat (hi - lo + 1)) f.

Fixpoint greatest_from (lo : Z) (n : nat) (f : Z -> R) : R :=
  match n with
  | O => f lo
  | S m => Rmax (greatest_from lo m f) (f (lo + Z.of_nat (S m))%Z)
  end.

Definition greatest (lo hi : Z) (f : Z -> R) : R :=
  if (hi <? lo)%Z then 0 else greatest_from lo (Z.to_nat (hi - lo)) f.

Arguments sum (lo hi)%Z_scope f%function_scope.
Arguments greatest (lo hi)%Z_scope f%function_scope.

(* Integers among the reals: IZR is carried to the leaves. *)

Lemma IZR_power : forall (a : Z) (p : positive), IZR (a ^ Z.pos p) = IZR a ^ Pos.to_nat p.
Proof. intros a p. rewrite pow_IZR, positive_nat_Z. reflexivity. Qed.

Lemma IZR_max : forall a b : Z, IZR (Z.max a b) = Rmax (IZR a) (IZR b).
Proof.
  intros a b. unfold Rmax. destruct (Rle_dec (IZR a) (IZR b)) as [h | h].
  - apply le_IZR in h. f_equal. lia.
  - f_equal. assert (~ (a <= b)%Z) by (intro k; apply h; apply IZR_le; exact k). lia.
Qed.

Lemma IZR_if : forall (c : bool) (a b : Z), IZR (if c then a else b) = if c then IZR a else IZR b.
Proof. intros [|] a b; reflexivity. Qed.

Lemma IZR_ne : forall a b : Z, a <> b -> IZR a <> IZR b.
Proof. intros a b h e. apply h. apply eq_IZR. exact e. Qed.

Lemma ne_IZR : forall a b : Z, IZR a <> IZR b -> a <> b.
Proof. intros a b h e. apply h. rewrite e. reflexivity. Qed.

Lemma IZR_eq : forall a b : Z, a = b -> IZR a = IZR b.
Proof. intros a b h. rewrite h. reflexivity. Qed.

Lemma below_next : forall a b : Z, IZR a < IZR b + 1 -> (a <= b)%Z.
Proof. intros a b h. rewrite <- plus_IZR in h. apply lt_IZR in h. lia. Qed.

Lemma next_below : forall a b : Z, (a < b)%Z -> IZR a + 1 <= IZR b.
Proof. intros a b h. rewrite <- plus_IZR. apply IZR_le. lia. Qed.

#[export] Hint Rewrite plus_IZR minus_IZR mult_IZR opp_IZR IZR_power IZR_max IZR_if : leaves.

(* [same]: the goal's sides differ in where IZR stands, at most. [from p]: the goal is what p says, up to that. *)

Ltac same := first [ reflexivity | autorewrite with leaves; reflexivity ].

Ltac from_real p :=
  let h := fresh in pose proof p as h; cbv beta in h; autorewrite with leaves in h; autorewrite with leaves; exact h.

Ltac from p :=
  first
    [ exact p
    | from_real p
    | from_real (IZR_eq _ _ p) | from_real (IZR_le _ _ p) | from_real (IZR_lt _ _ p) | from_real (IZR_ne _ _ p)
    | apply eq_IZR; from_real p | apply le_IZR; from_real p | apply lt_IZR; from_real p | apply ne_IZR; from_real p ].

(* [nonzero]: a condition that [field] left, from what is known not to be zero, or a product or power of such. *)

Ltac nonzero_one :=
  match goal with
  | |- 1 <> 0 => exact R1_neq_R0
  | |- _ <> 0 => assumption
  | |- _ <> 0 => solve [ lra ]
  | h : _ <> 0 |- _ <> 0 => solve [ let e := fresh in intro e; apply h; rewrite e; ring ]
  | h : _ <> 0 |- _ <> 0 => solve [ let e := fresh in intro e; apply h; lra ]
  | |- _ * _ <> 0 => apply Rmult_integral_contrapositive_currified; nonzero_one
  | |- _ ^ _ <> 0 => apply pow_nonzero; nonzero_one
  | h : _ <> 0 |- _ <> 0 => solve [ let e := fresh in intro e; apply h; nra ]
  end.

Ltac nonzero := repeat split; nonzero_one.

(* [witness]: a hypothesis about numerals holds. *)

Ltac witness := cbv [sum greatest]; simpl; first [ lia | lra | reflexivity ].

(* Rules. *)

Lemma sum_ext : forall (a b a' b' : Z) (f g : Z -> R),
  a = a' -> b = b' -> (forall i : Z, (a <= i)%Z -> (i <= b)%Z -> f i = g i) -> sum a b f = sum a' b' g.
Proof.
  intros a b a' b' f g <- <- h. unfold sum.
  assert (k : forall n : nat, (Z.of_nat n <= Z.max 0 (b - a + 1))%Z -> sum_from a n f = sum_from a n g).
  { induction n as [| n IH]; intro small; simpl; [reflexivity |]. rewrite IH by lia. rewrite h by lia. reflexivity. }
  apply k. lia.
Qed.

Lemma greatest_from_ext : forall (a : Z) (n : nat) (f g : Z -> R),
  (forall i : Z, (a <= i)%Z -> (i <= a + Z.of_nat n)%Z -> f i = g i) -> greatest_from a n f = greatest_from a n g.
Proof.
  intros a n f g. induction n as [| n IH]; intro h; simpl.
  - apply h; lia.
  - rewrite IH by (intros i low high; apply h; lia). rewrite h by lia. reflexivity.
Qed.

Lemma greatest_ext : forall (a b a' b' : Z) (f g : Z -> R),
  a = a' -> b = b' -> (forall i : Z, (a <= i)%Z -> (i <= b)%Z -> f i = g i) -> greatest a b f = greatest a' b' g.
Proof.
  intros a b a' b' f g <- <- h. unfold greatest. destruct (Z.ltb_spec b a) as [e | e]; [reflexivity |].
  apply greatest_from_ext. intros i low high. apply h; lia.
Qed.

Lemma if_le : forall (A : Type) (a b : Z) (x y : A),
  (a <= b)%Z -> (if (a <=? b)%Z then x else y) = x.
Proof. intros A a b x y h. destruct (Z.leb_spec a b); [reflexivity | lia]. Qed.
Lemma if_not_le : forall (A : Type) (a b : Z) (x y : A),
  (b < a)%Z -> (if (a <=? b)%Z then x else y) = y.
Proof. intros A a b x y h. destruct (Z.leb_spec a b); [lia | reflexivity]. Qed.
Lemma if_lt : forall (A : Type) (a b : Z) (x y : A),
  (a < b)%Z -> (if (a <? b)%Z then x else y) = x.
Proof. intros A a b x y h. destruct (Z.ltb_spec a b); [reflexivity | lia]. Qed.
Lemma if_not_lt : forall (A : Type) (a b : Z) (x y : A),
  (b <= a)%Z -> (if (a <? b)%Z then x else y) = y.
Proof. intros A a b x y h. destruct (Z.ltb_spec a b); [lia | reflexivity]. Qed.
Lemma if_eq : forall (A : Type) (a b : Z) (x y : A),
  a = b -> (if (a =? b)%Z then x else y) = x.
Proof. intros A a b x y h. destruct (Z.eqb_spec a b); [reflexivity | lia]. Qed.
Lemma if_not_eq : forall (A : Type) (a b : Z) (x y : A),
  a <> b -> (if (a =? b)%Z then x else y) = y.
Proof. intros A a b x y h. destruct (Z.eqb_spec a b); [lia | reflexivity]. Qed.
Lemma if_ne : forall (A : Type) (a b : Z) (x y : A),
  a <> b -> (if negb (a =? b)%Z then x else y) = x.
Proof. intros A a b x y h. destruct (Z.eqb_spec a b); [lia | reflexivity]. Qed.
Lemma if_not_ne : forall (A : Type) (a b : Z) (x y : A),
  a = b -> (if negb (a =? b)%Z then x else y) = y.
Proof. intros A a b x y h. destruct (Z.eqb_spec a b); [reflexivity | lia]. Qed.

Lemma branch_le : forall (A : Type) (a b : Z) (x x' y y' : A),
  ((a <= b)%Z -> x = x') -> ((b < a)%Z -> y = y') ->
  (if (a <=? b)%Z then x else y) = (if (a <=? b)%Z then x' else y').
Proof. intros A a b x x' y y' h k. destruct (Z.leb_spec a b); auto. Qed.
Lemma branch_lt : forall (A : Type) (a b : Z) (x x' y y' : A),
  ((a < b)%Z -> x = x') -> ((b <= a)%Z -> y = y') ->
  (if (a <? b)%Z then x else y) = (if (a <? b)%Z then x' else y').
Proof. intros A a b x x' y y' h k. destruct (Z.ltb_spec a b); auto. Qed.
Lemma branch_eq : forall (A : Type) (a b : Z) (x x' y y' : A),
  (a = b -> x = x') -> (a <> b -> y = y') ->
  (if (a =? b)%Z then x else y) = (if (a =? b)%Z then x' else y').
Proof. intros A a b x x' y y' h k. destruct (Z.eqb_spec a b); auto. Qed.
Lemma branch_ne : forall (A : Type) (a b : Z) (x x' y y' : A),
  (a <> b -> x = x') -> (a = b -> y = y') ->
  (if negb (a =? b)%Z then x else y) = (if negb (a =? b)%Z then x' else y').
Proof. intros A a b x x' y y' h k. destruct (Z.eqb_spec a b); simpl; auto. Qed.

Lemma relate : forall (A : Type) (r : A -> A -> Prop) (a b a' b' : A), r a b -> a = a' -> b = b' -> r a' b'.
Proof. intros A r a b a' b' h <- <-. exact h. Qed.

Lemma cases_le_Z : forall (a b : Z) (q : Prop), ((a <= b)%Z -> q) -> ((b < a)%Z -> q) -> q.
Proof. intros a b q h k. destruct (Z_le_gt_dec a b); [apply h | apply k]; lia. Qed.
Lemma cases_lt_Z : forall (a b : Z) (q : Prop), ((a < b)%Z -> q) -> ((b <= a)%Z -> q) -> q.
Proof. intros a b q h k. destruct (Z_lt_ge_dec a b); [apply h | apply k]; lia. Qed.
Lemma cases_eq_Z : forall (a b : Z) (q : Prop), (a = b -> q) -> (a <> b -> q) -> q.
Proof. intros a b q h k. destruct (Z.eq_dec a b); auto. Qed.
Lemma cases_ne_Z : forall (a b : Z) (q : Prop), (a <> b -> q) -> (a = b -> q) -> q.
Proof. intros a b q h k. destruct (Z.eq_dec a b); auto. Qed.
Lemma cases_le_R : forall (a b : R) (q : Prop), (a <= b -> q) -> (b < a -> q) -> q.
Proof. intros a b q h k. destruct (Rle_lt_dec a b); auto. Qed.
Lemma cases_lt_R : forall (a b : R) (q : Prop), (a < b -> q) -> (b <= a -> q) -> q.
Proof. intros a b q h k. destruct (Rle_lt_dec b a); auto. Qed.
Lemma cases_eq_R : forall (a b : R) (q : Prop), (a = b -> q) -> (a <> b -> q) -> q.
Proof. intros a b q h k. destruct (Req_dec a b); auto. Qed.
Lemma cases_ne_R : forall (a b : R) (q : Prop), (a <> b -> q) -> (a = b -> q) -> q.
Proof. intros a b q h k. destruct (Req_dec a b); auto. Qed.

Lemma impossible : forall q : Prop, (1 <= 0)%Z -> q.
Proof. intros q h. lia. Qed.

Lemma induction_from : forall (lo : Z) (p : Z -> Prop),
  p lo -> (forall k : Z, (lo <= k)%Z -> p k -> p (k + 1)%Z) -> forall k : Z, (lo <= k)%Z -> p k.
Proof.
  intros lo p base step k low. replace k with (lo + Z.of_nat (Z.to_nat (k - lo)))%Z by lia.
  induction (Z.to_nat (k - lo)) as [| n IH].
  - rewrite Z.add_0_r. exact base.
  - replace (lo + Z.of_nat (S n))%Z with (lo + Z.of_nat n + 1)%Z by lia. apply step; [lia | exact IH].
Qed.

(* The table of axioms: order and signs. *)

Lemma antisymmetry : forall x y : R, x <= y -> y <= x -> x = y.
Proof. intros. lra. Qed.
Lemma less_not_equal : forall x y : R, x < y -> x <> y.
Proof. intros. lra. Qed.
Lemma greater_not_equal : forall x y : R, x < y -> y <> x.
Proof. intros. lra. Qed.
Lemma not_equal_less : forall x y : R, x <= y -> x <> y -> x < y.
Proof. intros. lra. Qed.
Lemma contradiction : forall x y : R, x = y -> x <> y -> (1 <= 0)%Z.
Proof. intros. contradiction. Qed.
Lemma product_nonnegative : forall x y : R, 0 <= x -> 0 <= y -> 0 <= x * y.
Proof. exact Rmult_le_pos. Qed.
Lemma product_positive : forall x y : R, 0 < x -> 0 < y -> 0 < x * y.
Proof. exact Rmult_lt_0_compat. Qed.
Lemma product_nonzero : forall x y : R, x <> 0 -> y <> 0 -> x * y <> 0.
Proof. exact Rmult_integral_contrapositive_currified. Qed.
Lemma factor_nonzero : forall x y : R, x * y <> 0 -> x <> 0.
Proof. intros x y h e. apply h. rewrite e. ring. Qed.
Lemma square_nonnegative : forall x : R, 0 <= x * x.
Proof. exact Rle_0_sqr. Qed.
Lemma reciprocal_positive : forall x : R, 0 < x -> 0 < 1 / x.
Proof. intros x h. unfold Rdiv. rewrite Rmult_1_l. apply Rinv_0_lt_compat. exact h. Qed.
Lemma reciprocal_nonzero : forall x : R, x <> 0 -> 1 / x <> 0.
Proof. intros x h. unfold Rdiv. rewrite Rmult_1_l. apply Rinv_neq_0_compat. exact h. Qed.

(* Integer powers. *)

Lemma power_positive : forall (n : Z) (x : R), 0 < x -> 0 < powerRZ x n.
Proof. intros n x h. apply powerRZ_lt. exact h. Qed.
Lemma power_nonzero : forall (n : Z) (x : R), x <> 0 -> powerRZ x n <> 0.
Proof. intros n x h. apply powerRZ_NOR. exact h. Qed.
Lemma power_sum : forall (m n : Z) (x : R), x <> 0 -> powerRZ x (m + n) = powerRZ x m * powerRZ x n.
Proof. intros m n x h. apply powerRZ_add. exact h. Qed.
Lemma power_sum_nonnegative : forall (m n : Z) (x : R),
  (0 <= m)%Z -> (0 <= n)%Z -> powerRZ x (m + n) = powerRZ x m * powerRZ x n.
Proof.
  intros [| m | m] [| n | n] x h k; try lia; simpl; try ring. rewrite Pos2Nat.inj_add. apply pow_add.
Qed.
Lemma power_power : forall (m n : Z) (x : R), x <> 0 -> powerRZ x (m * n) = powerRZ (powerRZ x m) n.
Proof.
  intros m n x h.
  assert (k : forall i : nat, powerRZ x (m * Z.of_nat i) = powerRZ x m ^ i).
  { induction i as [| i IH].
    - rewrite Z.mul_0_r. reflexivity.
    - replace (m * Z.of_nat (S i))%Z with (m + m * Z.of_nat i)%Z by lia. rewrite powerRZ_add by exact h.
      rewrite IH. reflexivity. }
  destruct n as [| n | n].
  - rewrite Z.mul_0_r. reflexivity.
  - rewrite <- positive_nat_Z, k, positive_nat_Z. reflexivity.
  - replace (m * Z.neg n)%Z with (- (m * Z.of_nat (Pos.to_nat n)))%Z by (rewrite positive_nat_Z; lia).
    rewrite powerRZ_neg', k. reflexivity.
Qed.
Lemma power_product : forall (n : Z) (x y : R),
  x <> 0 -> y <> 0 -> powerRZ (x * y) n = powerRZ x n * powerRZ y n.
Proof.
  intros [| n | n] x y h k; simpl.
  - ring.
  - apply Rpow_mult_distr.
  - rewrite Rpow_mult_distr. apply Rinv_mult.
Qed.

(* The exponential and the logarithm. *)

Lemma exp_sum : forall x y : R, exp (x + y) = exp x * exp y.
Proof. exact exp_plus. Qed.
Lemma exp_zero : exp 0 = 1.
Proof. exact exp_0. Qed.
Lemma exp_positive : forall x : R, 0 < exp x.
Proof. exact exp_pos. Qed.
Lemma exp_multiple : forall (n : Z) (x : R), exp (IZR n * x) = powerRZ (exp x) n.
Proof.
  assert (k : forall (i : nat) (x : R), exp (INR i * x) = exp x ^ i).
  { intros i x. induction i as [| i IH].
    - simpl. rewrite Rmult_0_l. apply exp_0.
    - rewrite S_INR, Rmult_plus_distr_r, exp_plus, IH, Rmult_1_l. simpl. ring. }
  intros [| n | n] x; simpl.
  - rewrite Rmult_0_l. apply exp_0.
  - rewrite <- k. rewrite INR_IZR_INZ, positive_nat_Z. reflexivity.
  - rewrite <- k. rewrite INR_IZR_INZ, positive_nat_Z. rewrite <- exp_Ropp. f_equal.
    rewrite <- Ropp_mult_distr_l_reverse, <- opp_IZR. reflexivity.
Qed.
(* By the series, since the standard library's own proofs by derivatives assume the excluded middle. *)
Lemma exp_series : forall x : R, Un_cv (fun n => sum_f_R0 (fun i => / INR (fact i) * x ^ i) n) (exp x).
Proof. intro x. exact (proj2_sig (exist_exp x)). Qed.
Lemma exp_tangent_right : forall x : R, 0 <= x -> 1 + x <= exp x.
Proof.
  intros x h. replace (1 + x) with (sum_f_R0 (fun i => / INR (fact i) * x ^ i) 1) by (simpl; field).
  apply sum_incr; [apply exp_series |]. intro n. apply Rmult_le_pos; [| apply pow_le; exact h].
  left. apply Rinv_0_lt_compat. apply INR_fact_lt_0.
Qed.
Lemma exp_tangent_left : forall y : R, 0 < y -> y < 1 -> (1 - y) * exp y <= 1.
Proof.
  intros y h k.
  assert (b : forall n : nat, (1 - y) * sum_f_R0 (fun i => / INR (fact i) * y ^ i) n <= 1 - y ^ S n).
  { induction n as [| n IH]; [simpl; lra |]. rewrite tech5, Rmult_plus_distr_l.
    assert (p : 0 < y ^ S n) by (apply pow_lt; exact h).
    assert (q : / INR (fact (S n)) * y ^ S n <= y ^ S n).
    { rewrite <- (Rmult_1_l (y ^ S n)) at 2. apply Rmult_le_compat_r; [lra |].
      rewrite <- Rinv_1. apply Rinv_le_contravar; [lra |]. apply (le_INR 1). apply lt_O_fact. }
    assert (r : (1 - y) * (/ INR (fact (S n)) * y ^ S n) <= (1 - y) * y ^ S n) by (apply Rmult_le_compat_l; lra).
    change (y ^ S (S n)) with (y * y ^ S n). lra. }
  destruct (Rle_lt_dec ((1 - y) * exp y) 1) as [e | e]; [exact e | exfalso].
  destruct (exp_series y (((1 - y) * exp y - 1) / (1 - y))) as [n near].
  { apply Rdiv_lt_0_compat; lra. }
  specialize (near n (le_n n)). apply Rabs_def2 in near. destruct near as [_ low].
  assert (p : 0 < y ^ S n) by (apply pow_lt; exact h). specialize (b n).
  assert (c : exp y - ((1 - y) * exp y - 1) / (1 - y) = 1 / (1 - y)) by (field; lra).
  assert (d : 1 / (1 - y) < sum_f_R0 (fun i => / INR (fact i) * y ^ i) n) by lra.
  apply (Rmult_lt_compat_l (1 - y)) in d; [| lra]. replace ((1 - y) * (1 / (1 - y))) with 1 in d by (field; lra). lra.
Qed.
Lemma exp_tangent : forall x : R, 1 + x <= exp x.
Proof.
  intro x. destruct (Rle_lt_dec 0 x) as [h | h]; [apply exp_tangent_right; exact h |].
  destruct (Rle_lt_dec (1 + x) 0) as [k | k]; [assert (0 < exp x) by apply exp_pos; lra |].
  assert (b : (1 - - x) * exp (- x) <= 1) by (apply exp_tangent_left; lra).
  rewrite exp_Ropp in b. apply (Rmult_le_compat_r (exp x)) in b; [| left; apply exp_pos].
  replace ((1 - - x) * / exp x * exp x) with (1 + x) in b; [lra |].
  field. apply Rgt_not_eq. apply exp_pos.
Qed.
Lemma exp_increasing : forall x y : R, x < y -> exp x < exp y.
Proof.
  intros x y h. replace y with (x + (y - x)) by ring. rewrite exp_plus.
  assert (p : 0 < exp x) by apply exp_pos. assert (q : 1 + (y - x) <= exp (y - x)) by apply exp_tangent.
  assert (r : exp x * 1 < exp x * exp (y - x)) by (apply Rmult_lt_compat_l; lra). lra.
Qed.
Lemma exp_ln : forall x : R, 0 < x -> exp (ln x) = x.
Proof. exact exp_ln. Qed.
Lemma ln_exp : forall x : R, ln (exp x) = x.
Proof. exact ln_exp. Qed.
Lemma ln_product : forall x y : R, 0 < x -> 0 < y -> ln (x * y) = ln x + ln y.
Proof. exact ln_mult. Qed.
Lemma ln_power : forall (n : Z) (x : R), 0 < x -> ln (powerRZ x n) = IZR n * ln x.
Proof.
  intros n x h. rewrite <- (exp_ln x h) at 1. rewrite <- exp_multiple. apply ln_exp.
Qed.
Lemma ln_increasing : forall x y : R, 0 < x -> x < y -> ln x < ln y.
Proof. exact ln_increasing. Qed.

(* Roots. *)

Lemma root_squared : forall x : R, 0 <= x -> sqrt x * sqrt x = x.
Proof. exact sqrt_sqrt. Qed.
Lemma root_nonnegative : forall x : R, 0 <= x -> 0 <= sqrt x.
Proof. intros x _. apply sqrt_pos. Qed.
Lemma root_positive : forall x : R, 0 < x -> 0 < sqrt x.
Proof. exact sqrt_lt_R0. Qed.
Lemma root_of_square : forall x : R, 0 <= x -> sqrt (x * x) = x.
Proof. exact sqrt_square. Qed.
Lemma root_product : forall x y : R, 0 <= x -> 0 <= y -> sqrt (x * y) = sqrt x * sqrt y.
Proof. exact sqrt_mult. Qed.
Lemma root_increasing : forall x y : R, 0 <= x -> x < y -> sqrt x < sqrt y.
Proof. intros x y h k. apply sqrt_lt_1; lra. Qed.

(* Maxima. *)

Lemma max_left : forall x y : R, y <= x -> Rmax x y = x.
Proof. exact Rmax_left. Qed.
Lemma max_right : forall x y : R, x <= y -> Rmax x y = y.
Proof. exact Rmax_right. Qed.

Lemma greatest_from_member : forall (a : Z) (n : nat) (f : Z -> R) (k : Z),
  (a <= k)%Z -> (k <= a + Z.of_nat n)%Z -> f k <= greatest_from a n f.
Proof.
  intros a n f k low. induction n as [| n IH]; intro high; cbn [greatest_from].
  - replace k with a by lia. lra.
  - destruct (Z.eq_dec k (a + Z.of_nat (S n))) as [-> | h]; [apply Rmax_r |].
    eapply Rle_trans; [apply IH; lia | apply Rmax_l].
Qed.
Lemma max_member : forall (a b : Z) (f : Z -> R) (k : Z),
  (a <= k)%Z -> (k <= b)%Z -> f k <= greatest a b (fun i => f i).
Proof.
  intros a b f k low high. unfold greatest. destruct (Z.ltb_spec b a); [lia |].
  apply greatest_from_member; lia.
Qed.
Lemma max_least : forall (a b : Z) (f : Z -> R) (x : R),
  (a <= b)%Z -> (forall i : Z, (a <= i)%Z -> (i <= b)%Z -> f i <= x) -> greatest a b (fun i => f i) <= x.
Proof.
  intros a b f x h k. unfold greatest. destruct (Z.ltb_spec b a); [lia |].
  assert (m : forall n : nat, (a + Z.of_nat n <= b)%Z -> greatest_from a n f <= x).
  { induction n as [| n IH]; intro small; cbn [greatest_from]; [apply k; lia |].
    apply Rmax_lub; [apply IH; lia | apply k; lia]. }
  apply m. lia.
Qed.

(* Finite sums. *)

Lemma sum_add : forall (a b : Z) (f g : Z -> R),
  sum a b (fun i => f i + g i) = sum a b (fun i => f i) + sum a b (fun i => g i).
Proof.
  intros a b f g. unfold sum. induction (Z.to_nat (b - a + 1)) as [| n IH]; simpl; [| rewrite IH]; ring.
Qed.
Lemma sum_factor : forall (a b : Z) (f : Z -> R) (x : R),
  sum a b (fun i => x * f i) = x * sum a b (fun i => f i).
Proof.
  intros a b f x. unfold sum. induction (Z.to_nat (b - a + 1)) as [| n IH]; simpl; [| rewrite IH]; ring.
Qed.
Lemma sum_constant : forall (a b : Z) (x : R), (a <= b + 1)%Z -> sum a b (fun i => x) = (IZR b + - IZR a + 1) * x.
Proof.
  intros a b x h. replace (IZR b + - IZR a + 1) with (INR (Z.to_nat (b - a + 1))).
  - unfold sum. induction (Z.to_nat (b - a + 1)) as [| n IH]; [simpl; ring |].
    rewrite S_INR. simpl sum_from. rewrite IH. ring.
  - rewrite INR_IZR_INZ, Z2Nat.id by lia. rewrite plus_IZR, minus_IZR. ring.
Qed.
Lemma sum_empty : forall (a b : Z) (f : Z -> R), (b < a)%Z -> sum a b (fun i => f i) = 0.
Proof. intros a b f h. unfold sum. replace (Z.to_nat (b - a + 1)) with O by lia. reflexivity. Qed.
Lemma sum_one : forall (a : Z) (f : Z -> R), sum a a (fun i => f i) = f a.
Proof.
  intros a f. unfold sum. replace (Z.to_nat (a - a + 1)) with 1%nat by lia. simpl.
  rewrite Z.add_0_r. ring.
Qed.
Lemma sum_from_split : forall (a : Z) (m n : nat) (f : Z -> R),
  sum_from a (m + n) f = sum_from a m f + sum_from (a + Z.of_nat m) n f.
Proof.
  intros a m n f. induction n as [| n IH].
  - rewrite Nat.add_0_r. simpl. ring.
  - rewrite Nat.add_succ_r. simpl. rewrite IH.
    replace (a + Z.of_nat (m + n))%Z with (a + Z.of_nat m + Z.of_nat n)%Z by lia. ring.
Qed.
Lemma sum_split : forall (a b : Z) (f : Z -> R) (m : Z), (a <= m + 1)%Z -> (m <= b)%Z ->
  sum a b (fun i => f i) = sum a m (fun i => f i) + sum (m + 1) b (fun i => f i).
Proof.
  intros a b f m low high. unfold sum.
  replace (Z.to_nat (b - a + 1)) with (Z.to_nat (m - a + 1) + Z.to_nat (b - (m + 1) + 1))%nat by lia.
  rewrite sum_from_split. replace (a + Z.of_nat (Z.to_nat (m - a + 1)))%Z with (m + 1)%Z by lia. reflexivity.
Qed.
Lemma sum_shift : forall (a b : Z) (f : Z -> R) (k : Z),
  sum a b (fun i => f i) = sum (a + k) (b + k) (fun i => f (i + - k)%Z).
Proof.
  intros a b f k. unfold sum. replace (b + k - (a + k) + 1)%Z with (b - a + 1)%Z by lia.
  induction (Z.to_nat (b - a + 1)) as [| n IH]; simpl; [reflexivity |].
  rewrite IH. replace (a + k + Z.of_nat n + - k)%Z with (a + Z.of_nat n)%Z by lia. reflexivity.
Qed.
Lemma sum_from_first : forall (a : Z) (n : nat) (f : Z -> R),
  sum_from a (S n) f = f a + sum_from (a + 1) n f.
Proof.
  intros a n f. change (S n) with (1 + n)%nat. rewrite sum_from_split. simpl. rewrite Z.add_0_r. ring.
Qed.
Lemma sum_reverse : forall (a b : Z) (f : Z -> R),
  sum a b (fun i => f i) = sum a b (fun i => f (a + b + - i)%Z).
Proof.
  intros a b f. unfold sum. destruct (Z_le_gt_dec a b) as [h | h].
  2: { replace (Z.to_nat (b - a + 1)) with O by lia. reflexivity. }
  assert (k : forall (n : nat) (c : Z),
    sum_from c n f = sum_from c n (fun i => f (c + (c + Z.of_nat n - 1) + - i)%Z)).
  { induction n as [| n IH]; intro c; [reflexivity |].
    rewrite sum_from_first. simpl sum_from at 2. rewrite Rplus_comm. f_equal.
    - rewrite IH.
      assert (e : forall (m : nat) (u v : Z -> R) (p q : Z),
        (forall j : nat, u (p + Z.of_nat j)%Z = v (q + Z.of_nat j)%Z) -> sum_from p m u = sum_from q m v).
      { induction m as [| m IHm]; intros u v p q same_terms; simpl; [reflexivity |].
        rewrite (IHm u v p q same_terms), same_terms. reflexivity. }
      apply e. intro j. f_equal. lia.
    - f_equal. lia. }
  etransitivity; [apply k |]. replace (a + Z.of_nat (Z.to_nat (b - a + 1)) - 1)%Z with b by lia. reflexivity.
Qed.
Lemma sum_swap : forall (a b c d : Z) (h : Z -> Z -> R),
  sum a b (fun i => sum c d (fun j => h i j)) = sum c d (fun j => sum a b (fun i => h i j)).
Proof.
  intros a b c d h. unfold sum at 1 4. induction (Z.to_nat (b - a + 1)) as [| n IH]; simpl.
  - unfold sum. induction (Z.to_nat (d - c + 1)) as [| m IHm]; simpl; [reflexivity | rewrite <- IHm; ring].
  - rewrite IH. symmetry. apply (sum_add c d (fun j => sum_from a n (fun i => h i j)) (fun j => h (a + Z.of_nat n)%Z j)).
Qed.
Lemma sum_monotone : forall (a b : Z) (f g : Z -> R),
  (forall i : Z, (a <= i)%Z -> (i <= b)%Z -> f i <= g i) -> sum a b (fun i => f i) <= sum a b (fun i => g i).
Proof.
  intros a b f g h. unfold sum.
  assert (k : forall n : nat, (Z.of_nat n <= Z.max 0 (b - a + 1))%Z -> sum_from a n f <= sum_from a n g).
  { induction n as [| n IH]; intro small; simpl; [lra |]. apply Rplus_le_compat; [apply IH | apply h]; lia. }
  apply k. lia.
Qed.
Lemma sum_positive : forall (a b : Z) (f : Z -> R),
  (a <= b)%Z -> (forall i : Z, (a <= i)%Z -> (i <= b)%Z -> 0 < f i) -> 0 < sum a b (fun i => f i).
Proof.
  intros a b f h k. unfold sum.
  assert (m : forall n : nat, (Z.of_nat n <= b - a)%Z -> 0 < sum_from a (S n) f).
  { induction n as [| n IH]; intro small.
    - simpl. rewrite Rplus_0_l. apply k; lia.
    - change (0 < sum_from a (S n) f + f (a + Z.of_nat (S n))%Z). apply Rplus_lt_0_compat; [apply IH | apply k]; lia. }
  replace (Z.to_nat (b - a + 1)) with (S (Z.to_nat (b - a))) by lia. apply m. lia.
Qed.
Lemma sum_member : forall (a b : Z) (f : Z -> R) (k : Z),
  (forall i : Z, (a <= i)%Z -> (i <= b)%Z -> 0 <= f i) -> (a <= k)%Z -> (k <= b)%Z -> f k <= sum a b (fun i => f i).
Proof.
  intros a b f k h low high. unfold sum.
  assert (p : forall n : nat, (Z.of_nat n <= Z.max 0 (b - a + 1))%Z -> 0 <= sum_from a n f).
  { induction n as [| n IH]; intro small; simpl; [lra |]. apply Rplus_le_le_0_compat; [apply IH | apply h]; lia. }
  assert (m : forall n : nat, (Z.of_nat n <= b - a + 1)%Z -> (k < a + Z.of_nat n)%Z -> f k <= sum_from a n f).
  { induction n as [| n IH]; intros small inside; [lia |]. simpl.
    destruct (Z.eq_dec k (a + Z.of_nat n)) as [-> | e].
    - assert (0 <= sum_from a n f) by (apply p; lia). lra.
    - assert (f k <= sum_from a n f) by (apply IH; lia).
      assert (0 <= f (a + Z.of_nat n)%Z) by (apply h; lia). lra. }
  apply m; lia.
Qed.
