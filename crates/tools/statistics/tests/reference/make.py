"""Writes reference.json: requests and what scipy, statsmodels and lifelines say to them.

Run with numpy, scipy, statsmodels and lifelines installed: python make.py
Figures without a library function are written out from their definitions, with library distributions.
"""

import itertools
import json
import math
import pathlib
import warnings

import lifelines
import numpy as np
import scipy
import scipy.optimize
import statsmodels
import statsmodels.api as sm
from lifelines.statistics import multivariate_logrank_test
from scipy import stats
from scipy.stats.contingency import odds_ratio
from statsmodels.stats import meta_analysis, multitest, power, proportion

warnings.simplefilter("ignore")
rng = np.random.default_rng(20240607)
cases = []


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(item) for item in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    return value


def case(name, request, expected):
    cases.append({"name": name, "request": plain(request), "expected": plain(expected)})


def interval(low, high, level=0.95):
    return {"level": level, "low": low, "high": high}


def values(n, mean=0.0, sd=1.0, digits=3):
    return np.round(rng.normal(mean, sd, n), digits).tolist()


SAMPLES = {
    "small": ([1.2, 3.4, 2.2], [0.4, 1.9, 0.8]),
    "ties": ([1, 2, 2, 3, 3, 3, 4, 5], [2, 3, 3, 4, 4, 6, 6, 7]),
    "unbalanced": (values(5, 1.0, 2.0), values(40, 0.0, 1.0)),
    "near_degenerate": ([1e6 + 0.001, 1e6 + 0.002, 1e6 + 0.004, 1e6 + 0.003], [1e6, 1e6 + 0.001, 1e6 + 0.0005, 1e6 + 0.0011]),
    "far_apart": (values(12, 0.0, 1.0), values(15, 9.0, 1.0)),
    "larger": (values(400, 0.1, 1.0), values(350, 0.0, 1.3)),
    "far_tail": (values(200, 0.0, 1.0), values(200, 1.0, 1.0)),
}
ALTERNATIVES = {"two_sided": "two-sided", "less": "less", "greater": "greater"}


def describe():
    sets = {"two": [1.5, 4.0], "three": [1, 2, 9], "constant": [3, 3, 3, 3, 3], "ties": [1, 2, 2, 2, 5, 5, 9], "larger": values(1000, 5, 2)}
    for name, x in sets.items():
        a = np.array(x, float)
        n = len(a)
        varied = a.std() > 0
        low, high = stats.t.interval(0.9, n - 1, a.mean(), stats.sem(a)) if varied else (a.mean(), a.mean())
        case(f"describe {name}", {"analysis": "describe", "values": x, "level": 0.9}, {
            "n": n, "mean": a.mean(), "sd": a.std(ddof=1), "variance": a.var(ddof=1), "standard_error": stats.sem(a),
            "interval": interval(low, high, 0.9), "min": a.min(), "max": a.max(),
            "quartile_1": np.quantile(a, 0.25), "median": np.median(a), "quartile_3": np.quantile(a, 0.75),
            "skewness": stats.skew(a, bias=False) if n > 2 and varied else None,
            "excess_kurtosis": stats.kurtosis(a, bias=False) if n > 3 and varied else None,
        })


def t_figures(result, level=0.95):
    ci = result.confidence_interval(level)
    return {"statistic": result.statistic, "df": result.df, "p": result.pvalue, "interval": interval(ci.low, ci.high, level)}


def shifted(name, *samples):
    """Close to each other and far from zero, values lose digits in a mean: the difference does not need them."""
    return [np.array(x) - (samples[0][0] if name == "near_degenerate" else 0.0) for x in samples]


def t_tests():
    for (name, (a, b)), (word, alternative) in itertools.product(SAMPLES.items(), ALTERNATIVES.items()):
        request = {"a": a, "b": b, "alternative": word}
        c, d = shifted(name, a, b)
        means = {"estimate": np.mean(c) - np.mean(d), "mean_a": np.mean(a), "mean_b": np.mean(b)}
        case(f"student {name} {word}", {"analysis": "student_t", **request},
             {**t_figures(stats.ttest_ind(c, d, alternative=alternative)), **means})
        case(f"welch {name} {word}", {"analysis": "welch_t", **request},
             {**t_figures(stats.ttest_ind(c, d, equal_var=False, alternative=alternative)), **means})
        case(f"one sample {name} {word}", {"analysis": "one_sample_t", "values": a, "mean": 0.5, "alternative": word, "level": 0.99},
             {**t_figures(stats.ttest_1samp(a, 0.5, alternative=alternative), 0.99), "estimate": np.mean(a)})
        k = min(len(a), len(b))
        d = np.array(a[:k]) - np.array(b[:k])
        case(f"paired {name} {word}", {"analysis": "paired_t", "a": a[:k], "b": b[:k], "alternative": word},
             {**t_figures(stats.ttest_rel(a[:k], b[:k], alternative=alternative)), "estimate": d.mean(),
              "cohen_d": d.mean() / d.std(ddof=1)})
    case("welch one constant", {"analysis": "welch_t", "a": [2, 2, 2], "b": [1, 2, 4]},
         t_figures(stats.ttest_ind([2, 2, 2], [1, 2, 4], equal_var=False)))


def rank_tests():
    for (name, (a, b)), (word, alternative) in itertools.product(SAMPLES.items(), ALTERNATIVES.items()):
        for method, continuity in [("auto", "corrected"), ("asymptotic", "plain")]:
            r = stats.mannwhitneyu(a, b, alternative=alternative, method=method, use_continuity=continuity == "corrected")
            case(f"mann-whitney {name} {word} {method}",
                 {"analysis": "mann_whitney", "a": a, "b": b, "alternative": word, "method": method, "continuity": continuity},
                 {"statistic": r.statistic, "statistic_b": len(a) * len(b) - r.statistic, "p": r.pvalue,
                  "rank_biserial": 2 * r.statistic / (len(a) * len(b)) - 1})
            k = min(len(a), len(b))
            # Differences that differ by rounding alone are ties.
            d = np.round(np.array(a[:k]) - np.array(b[:k]), 7)
            tied = len(set(np.abs(d))) < k or (d == 0).any()
            how = "exact" if method == "auto" and not tied and k <= 50 else "asymptotic"
            r = stats.wilcoxon(d, alternative=alternative, method=how, correction=continuity == "corrected")
            plus = stats.wilcoxon(d, alternative="greater", method=how).statistic
            used = int((d != 0).sum())
            case(f"wilcoxon {name} {word} {method}",
                 {"analysis": "wilcoxon", "a": a[:k], "b": b[:k], "alternative": word, "method": method, "continuity": continuity},
                 {"statistic": plus, "statistic_minus": used * (used + 1) / 2 - plus, "n_used": used, "p": r.pvalue})
    for n_a, n_b in [(1, 6), (3, 300), (8, 60), (25, 30)]:
        a, b = values(n_a, 0.7, 1, 9), values(n_b, 0, 1, 9)
        r = stats.mannwhitneyu(a, b, method="exact")
        case(f"mann-whitney exact {n_a} {n_b}", {"analysis": "mann_whitney", "a": a, "b": b, "method": "exact"},
             {"statistic": r.statistic, "p": r.pvalue})
    for n in (1, 7, 50):
        d = values(n, 0.5, 1, 9)
        r = stats.wilcoxon(d, method="exact")
        case(f"wilcoxon exact {n}", {"analysis": "wilcoxon", "a": d}, {"p": r.pvalue})
    d = [0, 0, 1.5, -0.5, 2.5, 3.5, 0, 1.0, -1.5, 4.0, 2.0, 2.25]
    r = stats.wilcoxon(d, method="asymptotic", correction=True)
    case("wilcoxon zeros", {"analysis": "wilcoxon", "a": d}, {"p": r.pvalue, "n_used": 9})


TABLES = {
    "two by two": [[12, 5], [7, 19]], "few": [[3, 1], [1, 3]], "rare": [[0, 8], [5, 3]], "large": [[1200, 900], [1100, 1050]],
    "strong": [[40, 2], [3, 50]], "balanced": [[10, 10], [10, 10]], "slight": [[10, 9], [9, 10]],
}


def tables():
    wide = {"three by two": [[10, 20], [15, 5], [9, 9]], "four by four": rng.integers(1, 30, (4, 4)).tolist()}
    for (name, table), correction in itertools.product({**TABLES, **wide}.items(), ["yates", "none"]):
        r = stats.chi2_contingency(table, correction=correction == "yates")
        case(f"independence {name} {correction}", {"analysis": "chi_square_independence", "table": table, "correction": correction},
             {"statistic": r.statistic, "df": r.dof, "p": r.pvalue, "expected": r.expected_freq,
              "cramer_v": stats.contingency.association(np.array(table), method="cramer"), "n": int(np.sum(table))})
    for name, observed, expected in [("alike", [16, 18, 16, 14, 12, 12], None), ("shares", [90, 30, 12], [0.6, 0.3, 0.1]), ("far", [500, 100, 50], [1, 1, 1])]:
        scaled = None if expected is None else np.array(expected) / np.sum(expected) * np.sum(observed)
        r = stats.chisquare(observed, scaled)
        request = {"analysis": "chi_square_fit", "observed": observed}
        if expected is not None:
            request["expected"] = expected
        case(f"fit {name}", request, {"statistic": r.statistic, "p": r.pvalue, "df": len(observed) - 1})
    for (name, table), (word, alternative) in itertools.product(TABLES.items(), ALTERNATIVES.items()):
        r = odds_ratio(np.array(table))
        ci = r.confidence_interval(0.95, alternative)
        [[a, b], [c, d]] = table
        case(f"fisher {name} {word}", {"analysis": "fisher_exact", "table": table, "alternative": word},
             {"p": stats.fisher_exact(table, alternative).pvalue, "odds_ratio": r.statistic,
              "odds_ratio_sample": a * d / (b * c) if b * c else math.inf, "interval": interval(ci.low, ci.high)})


GROUPS = {
    "small": [[1, 2, 4], [2, 3, 5], [6, 7, 9]],
    "unbalanced": [values(3, 0), values(20, 1), values(9, 0.3), values(5, -1)],
    "ties": [[1, 1, 2, 2], [2, 2, 3, 3, 3], [1, 2, 3, 4]],
    "one alone": [[5.5], [1, 2, 3], [2, 4, 6]],
    "two": [values(10, 0), values(12, 0.5)],
    "far": [values(50, 0), values(50, 2), values(50, 4)],
    "near_degenerate": [[1e5 + 0.01, 1e5 + 0.02, 1e5 + 0.04], [1e5 + 0.03, 1e5 + 0.02, 1e5 + 0.05]],
}


def groups():
    for name, parts in GROUPS.items():
        given, means = parts, [np.mean(p) for p in parts]
        parts = shifted(name, *parts)
        r = stats.f_oneway(*parts)
        x = np.concatenate(parts)
        k, n = len(parts), len(x)
        within = sum(((np.array(p) - np.mean(p)) ** 2).sum() for p in parts)
        between = sum(len(p) * (np.mean(p) - x.mean()) ** 2 for p in parts)
        error = within / (n - k)
        effect = {"eta_squared": between / (between + within), "omega_squared": (between - (k - 1) * error) / (between + within + error)}
        case(f"anova {name}", {"analysis": "anova", "groups": given},
             {"statistic": r.statistic, "p": r.pvalue, "df_between": k - 1, "df_within": n - k, "squares_between": between,
              "squares_within": within, "means": means, **effect})
        case(f"explained {name}", {"analysis": "variance_explained", "groups": given}, {**effect, "cohen_f": math.sqrt(between / within)})
        r = stats.kruskal(*parts)
        case(f"kruskal {name}", {"analysis": "kruskal_wallis", "groups": given},
             {"statistic": r.statistic, "p": r.pvalue, "df": k - 1, "epsilon_squared": r.statistic / (n - 1)})


def correlations():
    x = values(60)
    base = {
        "small": ([1, 2, 3, 4], [1.1, 1.9, 3.5, 3.6]), "ties": ([1, 2, 2, 3, 4, 4, 5, 6], [2, 1, 1, 3, 3, 5, 5, 5]),
        "triples": ([1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4], [2, 2, 2, 1, 5, 5, 5, 3, 3, 3, 6]), "medium": (values(20), values(20)), "larger": (x, (0.5 * np.array(x) + np.array(values(60))).tolist()),
        "strong": (x, (3 * np.array(x) + np.array(values(60))).tolist()), "thirty three": (values(33, 0, 1, 9), values(33, 0, 1, 9)),
        "negative": ([1, 2, 3, 4, 5, 6], [9, 7, 8, 4, 5, 1]), "shifted": ((1e6 + np.arange(12)).tolist(), (np.arange(12) ** 2.0).tolist()),
    }
    for (name, (x, y)), (word, alternative) in itertools.product(base.items(), ALTERNATIVES.items()):
        request = {"x": x, "y": y, "alternative": word}
        r = stats.pearsonr(x, y, alternative=alternative)
        ci = r.confidence_interval(0.95)
        case(f"pearson {name} {word}", {"analysis": "pearson", **request},
             {"estimate": r.statistic, "p": r.pvalue, "interval": interval(ci.low, ci.high)})
        r = stats.spearmanr(x, y, alternative=alternative)
        case(f"spearman {name} {word}", {"analysis": "spearman", **request}, {"estimate": r.statistic, "p": r.pvalue})
        tied = len(set(x)) < len(x) or len(set(y)) < len(y)
        r = stats.kendalltau(x, y, alternative=alternative, method="exact" if not tied and len(x) <= 33 else "asymptotic")
        case(f"kendall {name} {word}", {"analysis": "kendall", **request}, {"estimate": r.statistic, "p": r.pvalue})


def regressions():
    longley = sm.datasets.longley.load_pandas()
    spector = sm.datasets.spector.load_pandas()
    x1, x2 = values(200), values(200, 3, 2)
    linear = {
        "one": ([1.0, 2.1, 2.9, 4.2, 5.1, 5.8], {"x": [1, 2, 3, 4, 5, 6]}),
        "least": ([1.0, 3.0, 2.0, 5.0], {"x": [1, 2, 3, 4], "z": [1, 0, 0, 1]}),
        "two": ((1 + 2 * np.array(x1) - 0.5 * np.array(x2) + np.array(values(200))).tolist(), {"first": x1, "second": x2}),
        "longley": (longley.endog.tolist(), {name: longley.exog[name].tolist() for name in longley.exog}),
        "near collinear": (values(30), {"x": np.arange(30.0).tolist(), "z": (np.arange(30) + np.array(values(30, 0, 1e-3, 6))).tolist()}),
        "offset": ((np.array(x1) + np.array(values(200))).tolist(), {"x": (np.array(x1) + 1e5).tolist()}),
        "strong": ((np.arange(40) * 2 + np.array(values(40))).tolist(), {"x": np.arange(40.0).tolist()}),
    }
    for name, (y, columns) in linear.items():
        r = sm.OLS(y, sm.add_constant(np.column_stack(list(columns.values())))).fit()
        ci = r.conf_int()
        case(f"linear {name}", {"analysis": "linear_regression", "y": y, "predictors": [{"name": n, "values": v} for n, v in columns.items()]}, {
            "n": len(y), "r_squared": r.rsquared, "r_squared_adjusted": r.rsquared_adj, "statistic": r.fvalue, "p": r.f_pvalue,
            "df_model": r.df_model, "df_residual": r.df_resid, "residual_sd": math.sqrt(r.scale), "log_likelihood": r.llf, "aic": r.aic, "bic": r.bic,
            "coefficients": [{"name": n, "estimate": r.params[i], "standard_error": r.bse[i], "statistic": r.tvalues[i],
                              "p": r.pvalues[i], "interval": interval(*ci[i])} for i, n in enumerate(["intercept", *columns])],
        })
    big = rng.normal(size=(500, 3)).round(3)
    hit = (rng.uniform(size=500) < 1 / (1 + np.exp(-(0.3 + big @ [1.5, -0.7, 0.0])))).astype(int)
    rare = (rng.uniform(size=300) < 0.05).astype(int)
    dose = np.repeat([1, 2, 3, 4, 5], 10)
    died = [int(i < k) for k in (1, 2, 5, 8, 9) for i in range(10)]
    logistic = {
        "dose": (died, {"dose": dose.tolist()}),
        "spector": (spector.endog.astype(int).tolist(), {name: spector.exog[name].tolist() for name in spector.exog}),
        "larger": (hit.tolist(), {"a": big[:, 0].tolist(), "b": big[:, 1].tolist(), "c": big[:, 2].tolist()}),
        "rare": (rare.tolist(), {"x": values(300)}),
        "offset": (hit.tolist(), {"a": (big[:, 0] + 2000).tolist(), "b": big[:, 1].tolist()}),
        "scaled": (hit.tolist(), {"a": (big[:, 0] * 1e6).tolist()}),
    }
    for name, (y, columns) in logistic.items():
        r = sm.Logit(y, sm.add_constant(np.column_stack(list(columns.values())))).fit(disp=0, method="newton", maxiter=100, tol=1e-14)
        ci = r.conf_int()
        case(f"logistic {name}", {"analysis": "logistic_regression", "y": y, "predictors": [{"name": n, "values": v} for n, v in columns.items()]}, {
            "log_likelihood": r.llf, "log_likelihood_null": r.llnull, "statistic": r.llr, "p": r.llr_pvalue, "mcfadden_r_squared": r.prsquared,
            "aic": r.aic, "bic": r.bic,
            "coefficients": [{"name": n, "estimate": r.params[i], "standard_error": r.bse[i], "statistic": r.tvalues[i], "p": r.pvalues[i],
                              "interval": interval(*ci[i]), "odds_ratio": math.exp(r.params[i]),
                              "odds_ratio_interval": interval(*np.exp(ci[i]))} for i, n in enumerate(["intercept", *columns])],
        })


def survival():
    w = lifelines.datasets.load_waltons()
    sets = {
        "small": ([5, 6, 6, 2.5, 4, 4], [1, 0, 0, 1, 1, 1]), "none": ([1, 2, 3], [0, 0, 0]), "all": ([1, 2, 3, 4], [1, 1, 1, 1]),
        "ties": ([1, 1, 2, 2, 2, 3, 3, 5, 5, 8], [1, 0, 1, 1, 0, 1, 1, 0, 1, 0]), "waltons": (w["T"].tolist(), w["E"].tolist()),
        "censored late": ([3, 5, 5, 9, 12, 14], [1, 1, 0, 0, 0, 0]),
    }
    for name, (times, events) in sets.items():
        km = lifelines.KaplanMeierFitter(alpha=0.05).fit(times, events)
        at = km.event_table
        survival, green = 1.0, 0.0
        half = math.inf
        median = {"log_log": [math.nan] * 2, "plain": [math.nan] * 2}
        curves = {"log_log": [], "plain": []}
        for t in sorted(set(times)):
            n, d, c = int(at.loc[t, "at_risk"]), int(at.loc[t, "observed"]), int(at.loc[t, "censored"])
            survival = float(km.survival_function_at_times(t).iloc[0])
            # lifelines works in logarithms and so may miss a survival of exactly one half.
            half = min(half, t) if survival <= 0.5 + 1e-12 else half
            green += d / (n * (n - d)) if n > d else (math.inf if d else 0)
            se = survival * math.sqrt(green) if 0 < survival < 1 else 0.0
            z = stats.norm.ppf(0.975)
            ci = km.confidence_interval_.loc[t].tolist()
            if not 0 < survival < 1:
                ci = [survival, survival]
            bounds = {"log_log": ci, "plain": [max(survival - z * se, 0), min(survival + z * se, 1)] if se else [survival, survival]}
            for how, (low, high) in bounds.items():
                for side, bound in enumerate((low, high)):
                    if math.isnan(median[how][side]) and bound <= 0.5:
                        median[how][side] = t
                curves[how].append({"time": t, "at_risk": n, "events": d, "censored": c, "survival": survival, "standard_error": se, "interval": interval(low, high)})
        assert half == km.median_survival_time_ or (np.abs(km.survival_function_ - 0.5) < 1e-12).any().any()
        for how in curves:
            case(f"kaplan-meier {name} {how}", {"analysis": "kaplan_meier", "times": times, "events": events, "interval": how},
                 {"n": len(times), "events": int(sum(events)), "median": half, "median_interval": interval(*median[how]), "curve": curves[how]})
    m = w["group"] == "miR-137"
    exponential = [np.round(rng.exponential(s, 60), 1) for s in (5, 7, 12)]
    compare = {
        "waltons": [(w["T"][m].tolist(), w["E"][m].tolist()), (w["T"][~m].tolist(), w["E"][~m].tolist())],
        "small": [([6, 7, 10, 15], [1, 0, 1, 1]), ([4, 5, 6, 9, 12], [1, 1, 1, 0, 1])],
        "three": [(t.tolist(), (rng.uniform(size=60) < 0.7).astype(int).tolist()) for t in exponential],
        "unbalanced": [([1, 2], [1, 1]), (exponential[0].tolist(), [1] * 60)],
    }
    for name, parts in compare.items():
        times = np.concatenate([p[0] for p in parts])
        events = np.concatenate([p[1] for p in parts])
        label = np.concatenate([[i] * len(p[0]) for i, p in enumerate(parts)])
        r = multivariate_logrank_test(times, label, events)
        expected = [sum(events[times == t].sum() * ((times >= t) & (label == i)).sum() / (times >= t).sum() for t in set(times))
                    for i in range(len(parts))]
        case(f"log-rank {name}", {"analysis": "log_rank", "groups": [{"name": f"g{i}", "times": p[0], "events": p[1]} for i, p in enumerate(parts)]},
             {"statistic": r.test_statistic, "p": r.p_value, "df": len(parts) - 1,
              "groups": [{"name": f"g{i}", "n": len(p[0]), "observed": float(sum(p[1])), "expected": expected[i]} for i, p in enumerate(parts)]})


def intervals():
    methods = {"wilson": "wilson", "clopper_pearson": "beta", "wald": "normal"}
    for (x, n), (word, method), level in itertools.product([(0, 10), (10, 10), (1, 30), (17, 40), (450, 1000), (3, 100000), (250000, 1000000)], methods.items(), (0.95, 0.8)):
        low, high = proportion.proportion_confint(x, n, alpha=1 - level, method=method)
        case(f"proportion {x}/{n} {word} {level}", {"analysis": "proportion_interval", "successes": x, "trials": n, "method": word, "level": level},
             {"estimate": x / n, "interval": interval(low, high, level)})
    for (a, m), (b, n) in [((15, 40), (8, 45)), ((0, 20), (5, 20)), ((56, 70), (48, 80)), ((9000, 10000), (8000, 10000)), ((1, 3), (2, 3))]:
        low, high = proportion.confint_proportions_2indep(a, m, b, n, method="newcomb", compare="diff")
        for word, side in {"two_sided": "two-sided", "less": "smaller", "greater": "larger"}.items():
            z, p = proportion.proportions_ztest([a, b], [m, n], alternative=side)
            case(f"difference {a}/{m} {b}/{n} {word}", {"analysis": "proportion_difference", "a": {"successes": a, "trials": m}, "b": {"successes": b, "trials": n}, "alternative": word},
                 {"estimate": a / m - b / n, "interval": interval(low, high), "statistic": z, "p": p})
    for mean, sd, n, level in [(10, 2, 5, 0.95), (-3.2, 0.1, 2, 0.99), (0, 1, 100000, 0.9), (5, 3, 100000000, 0.95)]:
        low, high = stats.t.interval(level, n - 1, mean, sd / math.sqrt(n))
        case(f"mean {mean} {n}", {"analysis": "mean_interval", "mean": mean, "sd": sd, "n": n, "level": level},
             {"estimate": mean, "standard_error": sd / math.sqrt(n), "interval": interval(low, high, level)})


def effects():
    for name, (a, b) in SAMPLES.items():
        request = {"analysis": "difference_effect", "a": a, "b": b}
        a, b = shifted(name, a, b)
        m, n = len(a), len(b)
        df = m + n - 2
        d = (a.mean() - b.mean()) / math.sqrt(((m - 1) * a.var(ddof=1) + (n - 1) * b.var(ddof=1)) / df)
        j = math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)
        h = math.sqrt(m * n / (m + n))
        t = d * h
        reach = 4 * math.sqrt(1 + t * t / (2 * df))
        low, high = (scipy.optimize.brentq(lambda s: stats.nct.cdf(t, df, s) - q, t - reach, t + reach, xtol=1e-13) / h for q in (0.975, 0.025))
        delta = np.sign(a[:, None] - b[None, :]).mean()
        case(f"difference effect {name}", request,
             {"cohen_d": d, "hedges_g": d * j, "cohen_d_interval": interval(low, high), "hedges_g_interval": interval(low * j, high * j),
              "glass_delta": (a.mean() - b.mean()) / b.std(ddof=1), "cliff_delta": delta, "superiority": (delta + 1) / 2})
    for name, table in {**TABLES, "three by two": [[10, 20], [15, 5], [9, 9]]}.items():
        chi2 = stats.chi2_contingency(table, correction=False).statistic
        phi = math.sqrt(chi2 / np.sum(table))
        if len(table) == 2:
            phi = math.copysign(phi, np.linalg.det(np.array(table))) if abs(np.linalg.det(np.array(table))) > 1e-9 else 0.0
        case(f"association {name}", {"analysis": "association_effect", "table": table}, {"cramer_v": stats.contingency.association(np.array(table)), "phi": phi})
    for a, b, c, d in [(15, 85, 30, 70), (3, 1, 1, 3), (0, 50, 5, 45), (400, 600, 300, 700), (1, 999, 2, 998)]:
        counts = np.array([[a, b], [c, d]]) + (0.5 if 0 in (a, b, c, d) else 0)
        r = sm.stats.Table2x2(counts, shift_zeros=False)
        low, high = proportion.confint_proportions_2indep(a, a + b, c, c + d, method="newcomb", compare="diff")
        rd = a / (a + b) - c / (c + d)
        bounds = sorted([1 / abs(low), 1 / abs(high)]) if low > 0 or high < 0 else [math.nan, math.nan]
        case(f"risk {a} {b} {c} {d}", {"analysis": "risk_effect", "exposed_event": a, "exposed_no_event": b, "unexposed_event": c, "unexposed_no_event": d},
             {"odds_ratio": r.oddsratio, "odds_ratio_interval": interval(*r.oddsratio_confint()), "risk_ratio": r.riskratio,
              "risk_ratio_interval": interval(*r.riskratio_confint()), "risk_difference": rd, "risk_difference_interval": interval(low, high),
              "number_needed": 1 / abs(rd), "number_needed_interval": interval(*bounds)})


def several():
    sets = {"one": [0.03], "few": [0.01, 0.04, 0.03, 0.005], "ties": [0.02, 0.02, 0.5, 1.0, 0.0], "larger": np.round(rng.uniform(size=100) ** 3, 6).tolist()}
    names = {"bonferroni": "bonferroni", "holm": "holm", "hochberg": "simes-hochberg", "benjamini_hochberg": "fdr_bh", "benjamini_yekutieli": "fdr_by"}
    for (name, p), (word, method) in itertools.product(sets.items(), names.items()):
        rejected, adjusted, _, _ = multitest.multipletests(p, 0.05, method)
        case(f"adjust {name} {word}", {"analysis": "adjust_p", "p_values": p, "adjustment": word},
             {"adjusted": adjusted, "rejected": rejected, "rejected_count": int(sum(rejected))})


def disproportionality():
    for a, b, c, d in [(25, 975, 200, 98800), (2, 10, 5, 500), (3, 7, 100, 9000), (50, 5000, 500, 50000), (1200, 30000, 8000, 2000000)]:
        prr = (a / (a + b)) / (c / (c + d))
        ror = a * d / (b * c)
        z = stats.norm.ppf(0.975)
        se_prr = math.sqrt(1 / a - 1 / (a + b) + 1 / c - 1 / (c + d))
        se_ror = math.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
        chi2 = stats.chi2_contingency([[a, b], [c, d]], correction=True)
        case(f"disproportionality {a} {b} {c} {d}", {"analysis": "disproportionality", "drug_event": a, "drug_other_events": b, "other_drugs_event": c, "other_drugs_other_events": d},
             {"reports": a, "expected": chi2.expected_freq[0, 0], "prr": prr, "prr_interval": interval(prr * math.exp(-z * se_prr), prr * math.exp(z * se_prr)),
              "ror": ror, "ror_interval": interval(ror * math.exp(-z * se_ror), ror * math.exp(z * se_ror)),
              "chi_square": chi2.statistic, "signal": prr >= 2 and chi2.statistic >= 4 and a >= 3})


def smallest(at, wanted):
    n = 2
    while at(n) < wanted:
        n += 1
    return n


def powers():
    sides = {"two": "two-sided", "one": "larger"}
    t = power.TTestIndPower()
    for (difference, sd, ratio, alpha), (word, side) in itertools.product([(5, 10, 1, 0.05), (-2, 8, 2, 0.01), (3, 2, 0.5, 0.05), (0.4, 1, 1, 0.001)], sides.items()):
        d = abs(difference) / sd
        at = lambda n: t.power(d, n, alpha, math.ceil(n * ratio) / n, alternative=side)
        request = {"analysis": "power_two_means", "difference": difference, "sd": sd, "ratio": ratio, "alpha": alpha, "sides": word}
        for n in (4, 30, 250):
            case(f"power means {difference}/{sd} {ratio} {word} n {n}", {**request, "n_a": n}, {"power": at(n), "n_a": n, "n_b": math.ceil(n * ratio)})
        n = smallest(at, 0.9)
        case(f"size means {difference}/{sd} {ratio} {word}", {**request, "power": 0.9}, {"power": at(n), "n_a": n, "n_b": math.ceil(n * ratio), "cohen_d": difference / sd})
    for (a, b, ratio), (word, side) in itertools.product([(0.5, 0.3, 1), (0.1, 0.2, 2), (0.95, 0.9, 0.5)], sides.items()):
        def at(n):
            r = math.ceil(n * ratio) / n
            if a > b:
                return proportion.power_proportions_2indep(a - b, b, n, r, 0.05, alternative=side, return_results=False)
            return proportion.power_proportions_2indep(b - a, 1 - b, n, r, 0.05, alternative=side, return_results=False)
        request = {"analysis": "power_two_proportions", "proportion_a": a, "proportion_b": b, "ratio": ratio, "sides": word}
        for n in (20, 100, 800):
            case(f"power proportions {a} {b} {ratio} {word} n {n}", {**request, "n_a": n}, {"power": at(n), "n_b": math.ceil(n * ratio)})
        n = smallest(at, 0.8)
        case(f"size proportions {a} {b} {ratio} {word}", {**request, "power": 0.8}, {"power": at(n), "n_a": n})


def meta():
    sets = {
        "alike": ([0.1, 0.12, 0.09], [0.05, 0.04, 0.06]), "apart": ([0.1, 0.9, -0.4, 0.5, 1.2], [0.1, 0.2, 0.15, 0.3, 0.1]),
        "two": ([1.0, 2.0], [0.5, 0.7]), "one large": ([0.3, 0.31, 0.8, -0.2], [0.001, 0.5, 0.4, 0.6]), "larger": (values(30, 0.4, 0.3), np.abs(values(30, 0.3, 0.05)).tolist()),
    }
    for name, (estimates, errors) in sets.items():
        variance = np.array(errors) ** 2
        r = meta_analysis.combine_effects(np.array(estimates), variance, method_re="dl")
        weights = 1 / variance
        tau2 = max(r.tau2, 0)
        for model in ("fixed", "random"):
            w = weights if model == "fixed" else 1 / (variance + tau2)
            mean, se = (w * estimates).sum() / w.sum(), math.sqrt(1 / w.sum())
            if model == "fixed":
                assert abs(mean - r.mean_effect_fe) < 1e-12
            elif r.tau2 > 0:
                assert abs(mean - r.mean_effect_re) < 1e-12 and abs(se - r.sd_eff_w_re) < 1e-12
            low, high = stats.norm.interval(0.95, mean, se)
            case(f"meta {name} {model}", {"analysis": "meta_analysis", "model": model, "studies": [{"name": f"s{i}", "estimate": e, "standard_error": s} for i, (e, s) in enumerate(zip(estimates, errors))]},
                 {"estimate": mean, "standard_error": se, "interval": interval(low, high), "statistic": mean / se, "p": 2 * stats.norm.sf(abs(mean / se)),
                  "q": r.q, "q_df": len(errors) - 1, "q_p": stats.chi2.sf(r.q, len(errors) - 1), "i_squared": max(0, 1 - (len(errors) - 1) / r.q), "tau_squared": tau2,
                  "studies": [{"weight": x / w.sum()} for x in w]})


class Pcg:
    """PCG-XSH-RR 64/32 with the crate's stream."""

    def __init__(self, seed):
        self.state = 0
        self.step()
        self.state = (self.state + seed) % 2**64
        self.step()

    def step(self):
        old = self.state
        self.state = (old * 6364136223846793005 + 1442695040888963407) % 2**64
        mixed = (((old >> 18) ^ old) >> 27) % 2**32
        turn = old >> 59
        return ((mixed >> turn) | (mixed << (32 - turn))) % 2**32

    def uniform(self):
        high, low = self.step() >> 6, self.step() >> 6
        return ((high << 26 | low) + 0.5) / 2**52

    def below(self, end):
        return min(int(self.uniform() * end), end - 1)


def simulated():
    kinds = {
        "normal": ({"mean": 10, "sd": 2}, stats.norm(10, 2)), "lognormal": ({"log_mean": 0.5, "log_sd": 0.3}, stats.lognorm(0.3, scale=math.exp(0.5))),
        "uniform": ({"low": -1, "high": 3}, stats.uniform(-1, 4)), "triangular": ({"low": 1, "mode": 2, "high": 6}, stats.triang(0.2, 1, 5)),
        "beta": ({"alpha": 2.5, "beta": 0.7}, stats.beta(2.5, 0.7)), "pert": ({"low": 2, "mode": 3, "high": 9}, stats.beta(1 + 4 / 7, 1 + 24 / 7, 2, 7)),
    }
    percents = [1, 50, 99]

    def run(name, inputs, model, apply, draws, seed, thresholds):
        pcg = Pcg(seed)
        u = np.array([[pcg.uniform() for _ in inputs] for _ in range(draws)])
        x = np.column_stack([kinds[kind][1].ppf(u[:, i]) for i, kind in enumerate(inputs)])
        y = apply(*x.T)
        case(f"monte carlo {name}", {"analysis": "monte_carlo", "seed": seed, "draws": draws, "model": model, "percentiles": percents, "thresholds": thresholds,
                                     "inputs": [{"name": f"x{i}", "distribution": {"kind": kind, **kinds[kind][0]}} for i, kind in enumerate(inputs)]},
             {"draws": draws, "mean": y.mean(), "sd": y.std(ddof=1), "standard_error": stats.sem(y), "min": y.min(), "max": y.max(),
              "percentiles": [{"percent": p, "value": np.percentile(y, p)} for p in percents],
              "thresholds": [{"threshold": t, "below": (y < t).mean()} for t in thresholds]})

    for kind in kinds:
        run(kind, [kind], "sum", lambda x: x, 2000, 7, [0.5, 2.5])
    everything = list(kinds)
    run("sum", everything, "sum", lambda *x: sum(x), 1000, 1, [20])
    run("product", ["normal", "pert", "beta"], "product", lambda a, b, c: a * b * c, 3000, 2**63 + 5, [10, 100])
    run("expression", everything, {"expression": "x0 * -x1^2 + max(x2, x3) / (1 + sqrt(x5)) - exp(-ln(2.5e0) * x4) + abs(min(x2, 0)) ^ 2 ^ 0.5"},
        lambda a, b, c, d, e, f: a * -(b**2) + np.maximum(c, d) / (1 + np.sqrt(f)) - np.exp(-math.log(2.5) * e) + np.abs(np.minimum(c, 0)) ** (2**0.5), 2000, 3, [-30])

    x = np.array(values(25, 3, 2))
    for statistic, f in {"mean": np.mean, "median": np.median, "sd": lambda v: np.std(v, ddof=1)}.items():
        pcg = Pcg(11)
        results = np.array([f(x[[pcg.below(len(x)) for _ in x]]) for _ in range(1000)])
        case(f"bootstrap {statistic}", {"analysis": "bootstrap_interval", "values": x, "statistic": statistic, "resamples": 1000, "seed": 11},
             {"estimate": f(x), "standard_error": results.std(ddof=1), "interval": interval(*np.quantile(results, [0.025, 0.975]))})

    for name, a, b in [("small", [1.2, 3.4, 2.2, 4.0], [0.4, 1.9, 0.8]), ("ties", [1, 2, 2, 3], [2, 3, 4, 5, 5])]:
        both = np.array(a + b, float)
        seen = np.mean(a) - np.mean(b)
        for word in ALTERNATIVES:
            hits = ways = 0
            for picked in itertools.combinations(range(len(both)), len(a)):
                mask = np.zeros(len(both), bool)
                mask[list(picked)] = True
                off = both[mask].mean() - both[~mask].mean()
                ways += 1
                hits += {"two_sided": abs(off) >= abs(seen) - 1e-9, "less": off <= seen + 1e-9, "greater": off >= seen - 1e-9}[word]
            case(f"permutation {name} {word}", {"analysis": "permutation_test", "a": a, "b": b, "alternative": word, "seed": 1}, {"estimate": seen, "p": hits / ways, "deals": ways})
    for n_a, n_b, seed in [(20, 25, 42), (30, 12, 5)]:
        a, b = values(n_a, 0.6), values(n_b)
        small, large = (a, b) if n_a <= n_b else (b, a)
        both, k = np.array(small + large), len(small)
        pcg, hits = Pcg(seed), 0
        for _ in range(2000):
            for i in range(k):
                j = i + pcg.below(len(both) - i)
                both[[i, j]] = both[[j, i]]
            hits += abs(both[:k].mean() - both[k:].mean()) >= abs(np.mean(a) - np.mean(b)) - 1e-12
        case(f"permutation drawn {n_a} {n_b}", {"analysis": "permutation_test", "a": a, "b": b, "resamples": 2000, "seed": seed}, {"p": (hits + 1) / 2001})


def distributions():
    """Far into the tails and for extreme parameters."""
    points = []

    def add(name, function, *grids):
        for arguments in itertools.product(*grids):
            value = float(function(*arguments))
            if math.isfinite(value) and abs(value) > 1e-250:
                points.append({"name": name, "arguments": list(arguments), "value": value})

    df = [1, 2, 3.7, 10, 100, 1e4, 1e6]
    add("normal_upper", stats.norm.sf, [-8, -1, 0, 0.3, 2, 7, 15, 36])
    add("normal_quantile", stats.norm.ppf, [1e-280, 1e-50, 1e-12, 1e-4, 0.02, 0.03, 0.3, 0.5, 0.9, 0.999999])
    add("t_upper", stats.t.sf, [-3, 0, 0.01, 0.5, 1, 2, 5, 20, 100, 1000], df)
    add("t_above", stats.t.isf, [0.5, 0.3, 0.05, 0.025, 1e-5, 1e-12], df)
    add("chi_square_upper", stats.chi2.sf, [1e-6, 0.1, 1, 5, 30, 200, 1000], [1, 2, 5, 30, 300, 1e4])
    add("f_upper", stats.f.sf, [1e-3, 0.3, 1, 4, 30, 1000], [1, 2, 7, 49], [1, 3, 20, 1e3, 1e5])
    add("beta_quantile", stats.beta.ppf, [1e-9, 1e-3, 0.025, 0.5, 0.975, 0.9999], [0.3, 1, 4, 60, 5000], [0.3, 1, 5, 900])
    add("noncentral_t", stats.nct.cdf, [-2, 0, 0.5, 2, 6, 30], [2, 9, 60, 1e4], [-3, 0.1, 1, 4, 28])
    return points


for part in (describe, t_tests, rank_tests, tables, groups, correlations, regressions, survival, intervals, effects, several,
             disproportionality, powers, meta, simulated):
    part()

versions = {module.__name__: module.__version__ for module in (np, scipy, statsmodels, lifelines)}
target = pathlib.Path(__file__).with_name("reference.json")
lines = ",\n".join(json.dumps(entry, allow_nan=False) for entry in cases)
target.write_text(f'{{"versions": {json.dumps(versions)}, "cases": [\n{lines}\n]}}\n')
points = ",\n".join(json.dumps(point) for point in distributions())
target.with_name("distributions.json").write_text(f'{{"versions": {json.dumps(versions)}, "points": [\n{points}\n]}}\n')
print(f"{len(cases)} cases, {versions}")
