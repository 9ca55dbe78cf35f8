"""Makes computed.json: the same calculations by other means than the crate's.

Needs: python -m pip install pint==0.25.3 numpy==2.4.6 numpy-financial==1.0.0
Run:   python make_reference.py > computed.json
Conversions come from pint with exact fractions, returns from numpy_financial, powers from decimal with 50 digits,
molar masses from formulas and standard atomic weights (CIAAW 2021, abridged).
"""

import json
import random
import re
from datetime import date, timedelta
from decimal import Context, Decimal, getcontext
from fractions import Fraction

import numpy as np
import numpy_financial as npf
import pint

getcontext().prec = 50
D = Decimal
chance = random.Random(20260101)
cases = []


def written(number):
    """Without an exponent, and with no more digits than a decimal of the crate holds."""
    rounded = D(str(number)).normalize(Context(prec=26))
    places = min(27, max(0, -rounded.as_tuple().exponent))
    return f"{rounded:.{places}f}"


def case(request, expected, tolerance, part=None):
    made = {"request": request, "expected": written(expected), "tolerance": written(tolerance)}
    if part:
        made["part"] = part
    cases.append(made)


# Units: our spelling and pint's.
UNITS = pint.UnitRegistry(non_int_type=Fraction)
PAIRS = [
    ("mi", "mile", "km", "kilometer"), ("in", "inch", "cm", "centimeter"), ("lb", "pound", "kg", "kilogram"),
    ("oz", "ounce", "g", "gram"), ("st", "stone", "kg", "kilogram"), ("gal", "gallon", "L", "liter"),
    ("tsp", "teaspoon", "mL", "milliliter"), ("floz", "fluid_ounce", "mL", "milliliter"),
    ("acre", "4840*yard**2", "m2", "meter**2"), ("mph", "mile/hour", "m/s", "meter/second"),
    ("kn", "knot", "km/h", "kilometer/hour"), ("atm", "atmosphere", "kPa", "kilopascal"),
    ("bar", "bar", "Pa", "pascal"), ("torr", "torr", "Pa", "pascal"), ("psi", "psi", "kPa", "kilopascal"),
    ("kcal", "kilocalorie", "kJ", "kilojoule"), ("kWh", "kilowatt*hour", "MJ", "megajoule"),
    ("kgf", "kilogram_force", "N", "newton"), ("GiB", "gibibyte", "MB", "megabyte"),
    ("Mbit/s", "megabit/second", "MiB/min", "mebibyte/minute"), ("mcg/kg/min", "microgram/kilogram/minute", "mg/kg/h", "milligram/kilogram/hour"),
    ("mg/dL", "milligram/deciliter", "g/L", "gram/liter"), ("umol/L", "micromole/liter", "mmol/dL", "millimole/deciliter"),
    ("wk", "week", "h", "hour"), ("ft*lbf", "foot*force_pound", "J", "joule"), ("Ci", "curie", "MBq", "megabecquerel"),
    ("kg*m/s^2", "kilogram*meter/second**2", "kN", "kilonewton"), ("ha", "hectare", "yd2", "yard**2"),
]
for ours_from, theirs_from, ours_to, theirs_to in PAIRS:
    for _ in range(3):
        value = Fraction(chance.randrange(1, 10**6), 10 ** chance.randrange(0, 4))
        there = (value * UNITS(theirs_from)).to(theirs_to).magnitude
        there = Fraction(there)
        text = D(value.numerator) / D(value.denominator)
        expected = D(there.numerator) / D(there.denominator)
        request = {"calculate": "convert", "value": f"{text:f}", "from": ours_from, "to": ours_to}
        case(request, expected, abs(expected) * D("1e-20") + D("1e-26"))
# Every unit of the table once more, with one in it.
SINGLE = {
    "%": ("0.01", "ratio", ""), "‰": ("0.001", "ratio", ""), "ppm": ("1e-6", "ratio", ""), "ppb": ("1e-9", "ratio", ""),
    "dozen": ("12", "ratio", ""), "%w/v": ("gram/(100*milliliter)", "kg/m3", "kilogram/meter**3"),
    "mg%": ("milligram/deciliter", "kg/m3", "kilogram/meter**3"), "in": ("inch", "m", "meter"),
    "ft": ("foot", "m", "meter"), "yd": ("yard", "m", "meter"), "mi": ("mile", "m", "meter"),
    "nmi": ("nautical_mile", "m", "meter"), "Å": ("angstrom", "m", "meter"), "ha": ("hectare", "m2", "meter**2"),
    "cc": ("cubic_centimeter", "L", "liter"), "gal_uk": ("imperial_gallon", "L", "liter"), "gal": ("gallon", "L", "liter"),
    "qt": ("quart", "L", "liter"), "pt": ("pint", "L", "liter"), "cup": ("cup", "L", "liter"),
    "floz": ("fluid_ounce", "L", "liter"), "tbsp": ("tablespoon", "L", "liter"), "tsp": ("teaspoon", "L", "liter"),
    "bbl": ("oil_barrel", "L", "liter"), "g": ("gram", "kg", "kilogram"), "t": ("metric_ton", "kg", "kilogram"),
    "lb": ("pound", "kg", "kilogram"), "oz": ("ounce", "kg", "kilogram"), "st": ("stone", "kg", "kilogram"),
    "grain": ("grain", "kg", "kilogram"), "ct": ("carat", "kg", "kilogram"), "ton_us": ("2000*pound", "kg", "kilogram"),
    "min": ("minute", "s", "second"), "h": ("hour", "s", "second"), "d": ("day", "s", "second"),
    "wk": ("week", "s", "second"), "yr": ("year", "s", "second"), "Hz": ("hertz", "1/s", "1/second"),
    "bpm": ("1/minute", "Hz", "1/second"), "kph": ("kilometer/hour", "m/s", "meter/second"),
    "mph": ("mile/hour", "m/s", "meter/second"), "kn": ("knot", "m/s", "meter/second"), "lbf": ("force_pound", "N", "newton"),
    "kgf": ("kilogram_force", "N", "newton"), "bar": ("bar", "Pa", "pascal"), "atm": ("atmosphere", "Pa", "pascal"),
    "mmHg": ("millimeter_Hg", "Pa", "pascal"), "cmH2O": ("centimeter_H2O", "Pa", "pascal"),
    "inHg": ("inch_Hg", "Pa", "pascal"), "torr": ("torr", "Pa", "pascal"), "psi": ("psi", "Pa", "pascal"),
    "cal": ("calorie", "J", "joule"), "Cal": ("kilocalorie", "J", "joule"), "Wh": ("watt*hour", "J", "joule"),
    "BTU": ("international_british_thermal_unit", "J", "joule"), "hp": ("horsepower", "W", "watt"), "PS": ("metric_horsepower", "W", "watt"),
    "V": ("volt", "W/A", "watt/ampere"), "ohm": ("ohm", "V/A", "volt/ampere"), "Gy": ("gray", "J/kg", "joule/kilogram"),
    "Sv": ("sievert", "J/kg", "joule/kilogram"), "Ci": ("curie", "Bq", "becquerel"), "M": ("molar", "mol/m3", "mole/meter**3"),
    "kat": ("katal", "mol/s", "mole/second"), "B": ("byte", "bit", "bit"), "N": ("newton", "kg*m/s^2", "kilogram*meter/second**2"),
    "Pa": ("pascal", "N/m2", "newton/meter**2"), "J": ("joule", "N*m", "newton*meter"), "W": ("watt", "J/s", "joule/second"),
    "degR": ("5/9*kelvin", "K", "kelvin"), "acre": ("4840*yard**2", "m2", "meter**2"),
}
for symbol, (theirs, ours_to, theirs_to) in SINGLE.items():
    there = Fraction(theirs) if theirs_to == "" else Fraction((Fraction(1) * UNITS(theirs)).to(theirs_to).magnitude)
    expected = D(there.numerator) / D(there.denominator)
    case({"calculate": "convert", "value": "1", "from": symbol, "to": ours_to}, expected, abs(expected) * D("1e-15"))
for value in ["-40", "0", "37", "98.6", "451"]:
    kelvin = (D(value) - 32) * 5 / 9 + D("273.15")
    case({"calculate": "convert", "value": value, "from": "degF", "to": "K"}, kelvin, "1e-22")

# Molar masses from formulas.
WEIGHTS = {"H": "1.008", "C": "12.011", "N": "14.007", "O": "15.999", "Na": "22.990", "Mg": "24.305", "P": "30.974",
           "S": "32.06", "Cl": "35.45", "K": "39.098", "Ca": "40.078", "Fe": "55.845", "Co": "58.933", "Cu": "63.546",
           "Zn": "65.38", "I": "126.904", "Li": "6.94"}
FORMULAS = {"ammonia": "NH3", "beta-hydroxybutyrate": "C4H8O3", "bicarbonate": "HCO3", "bilirubin": "C33H36N4O6",
            "caffeine": "C8H10N4O2", "calcium": "Ca", "carbamazepine": "C15H12N2O", "chloride": "Cl",
            "cholesterol": "C27H46O", "copper": "Cu", "cortisol": "C21H30O5", "creatinine": "C4H7N3O",
            "digoxin": "C41H64O14", "estradiol": "C18H24O2", "ethanol": "C2H6O", "folic acid": "C19H19N7O6",
            "glucose": "C6H12O6", "iron": "Fe", "lactate": "C3H6O3", "lithium": "Li", "magnesium": "Mg",
            "paracetamol": "C8H9NO2", "phenytoin": "C15H12N2O2", "phosphate": "P", "potassium": "K",
            "salicylate": "C7H6O3", "sodium": "Na", "testosterone": "C19H28O2", "theophylline": "C7H8N4O2",
            "thyroxine": "C15H11I4NO4", "triglycerides": "C57H104O6", "urea": "CH4N2O", "urea nitrogen": "N2",
            "uric acid": "C5H4N4O3", "valproic acid": "C8H16O2", "vancomycin": "C66H75Cl2N9O24",
            "vitamin b12": "C63H88CoN14O14P", "vitamin d": "C27H44O2", "zinc": "Zn"}


def molar_mass(formula):
    pieces = re.findall(r"([A-Z][a-z]?)(\d*)", formula)
    return sum(D(WEIGHTS[element]) * int(count or 1) for element, count in pieces)


for substance, formula in FORMULAS.items():
    mass = molar_mass(formula)
    request = {"calculate": "convert", "value": "1", "from": "mol", "to": "g", "substance": substance}
    case(request, mass, mass * D("0.00002"))

# Powers, with 50 digits instead of 28.
for _ in range(12):
    weight, height = D(chance.randrange(300, 15000)) / 100, D(chance.randrange(500, 2050)) / 10
    body = {"calculate": "body_surface", "weight_kg": str(weight), "height_cm": str(height)}
    case(body | {"formula": "mosteller"}, (weight * height / 3600).sqrt(), "1e-16")
    case(body | {"formula": "du_bois"}, D("0.007184") * weight ** D("0.425") * height ** D("0.725"), "1e-16")
    case(body | {"formula": "haycock"}, D("0.024265") * weight ** D("0.5378") * height ** D("0.3964"), "1e-16")
    age, creatinine = chance.randrange(18, 96), D(chance.randrange(40, 700)) / 100
    for sex in ["female", "male"]:
        female = sex == "female"
        kappa, alpha = (D("0.7"), D("-0.241")) if female else (D("0.9"), D("-0.302"))
        ratio = creatinine / kappa
        rate = 142 * min(ratio, D(1)) ** alpha * max(ratio, D(1)) ** D("-1.2") * D("0.9938") ** age
        patient = {"age_years": age, "sex": sex, "creatinine": str(creatinine), "creatinine_unit": "mg/dL"}
        case({"calculate": "egfr"} | patient, rate * (D("1.012") if female else 1), "1e-14")
        rate = 175 * creatinine ** D("-1.154") * D(age) ** D("-0.203") * (D("0.742") if female else 1)
        case({"calculate": "egfr", "equation": "mdrd"} | patient, rate, "1e-14")
        clearance = (140 - age) * weight / (72 * creatinine) * (D("0.85") if female else 1)
        case({"calculate": "creatinine_clearance", "weight_kg": str(weight)} | patient, clearance, "1e-20")
    interval, rate = chance.randrange(280, 600), chance.randrange(40, 180)
    beat = {"calculate": "corrected_qt", "qt_ms": interval, "heart_rate": rate}
    case(beat | {"formula": "bazett"}, interval / (D(60) / rate).sqrt(), "1e-14")
    case(beat | {"formula": "fridericia"}, interval / (D(60) / rate) ** (D(1) / 3), "1e-14")
    half, hours = D(chance.randrange(5, 480)) / 10, D(chance.randrange(0, 960)) / 10
    decay = {"calculate": "half_life_decay", "start": 100, "unit": "mg", "half_life_h": str(half), "hours": str(hours)}
    case(decay, 100 * D("0.5") ** (hours / half), "1e-14")
    fraction = D(chance.randrange(500, 990)) / 1000
    state = {"calculate": "steady_state", "half_life_h": str(half), "fraction": str(fraction)}
    case(state, half * -(1 - fraction).ln() / D(2).ln(), "1e-14")

# Scores are whole, so many of them.
for _ in range(200):
    labs = [D(chance.randrange(10, 300)) / 10, D(chance.randrange(10, 40)) / 10, D(chance.randrange(5, 60)) / 10]
    sodium = chance.randrange(118, 145)
    bilirubin, inr, creatinine = labs
    first = D("0.957") * min(max(creatinine, D(1)), D(4)).ln() + D("0.378") * max(bilirubin, D(1)).ln()
    first = first + D("1.12") * max(inr, D(1)).ln() + D("0.643")
    first = first.quantize(D("0.1"), rounding="ROUND_HALF_UP") * 10
    missing = 137 - min(max(sodium, 125), 137)
    score = first + D("1.32") * missing - D("0.033") * first * missing if first > 11 else first
    score = min(score.quantize(D(1), rounding="ROUND_HALF_UP"), D(40))
    case({"calculate": "meld_na", "bilirubin_mg_dl": str(bilirubin), "inr": str(inr), "creatinine_mg_dl": str(creatinine),
          "sodium_mmol_l": sodium}, score, "0")

# Money, against numpy_financial in floating point.
for _ in range(12):
    principal, percent, payments = chance.randrange(1000, 900000), chance.randrange(5, 150) / 10, chance.randrange(6, 360)
    payment = -npf.pmt(percent / 1200, payments, principal)
    case({"calculate": "loan", "principal": principal, "rate_percent": percent, "payments": payments}, payment, "0.00501")
    flows = [-chance.randrange(5000, 20000)] + [chance.randrange(500, 6000) for _ in range(chance.randrange(4, 15))]
    case({"calculate": "net_present_value", "rate_percent": percent, "flows": flows}, npf.npv(percent / 100, flows), "1e-7")
    case({"calculate": "internal_rate", "flows": flows}, npf.irr(flows) * 100, "1e-7")
    years = chance.randrange(1, 40)
    total = -npf.fv(percent / 400, years * 4, 0, principal)
    case({"calculate": "compound_interest", "principal": principal, "rate_percent": percent, "years": years,
          "compounding": "quarterly"}, total, "1e-5")
    growth = 100 * ((D(principal) / 1000) ** (D(1) / years) - 1)
    case({"calculate": "growth_rate", "start": 1000, "end": principal, "years": years}, growth, "1e-13")

# Days, against datetime and numpy's business days.
for _ in range(20):
    start = date(1995, 1, 1) + timedelta(days=chance.randrange(0, 20000))
    end = start + timedelta(days=chance.randrange(0, 3000))
    holidays = [start + timedelta(days=chance.randrange(0, 3000)) for _ in range(8)]
    free = [day.isoformat() for day in holidays]
    request = {"calculate": "date_difference", "from": start.isoformat(), "to": end.isoformat(), "holidays": free}
    case(request, (end - start).days, "0")
    worked = np.busday_count(start + timedelta(days=1), end + timedelta(days=1), holidays=holidays)
    case(request, int(worked), "0", part="business_days")
    year, week, _ = start.isocalendar()
    case({"calculate": "day_facts", "date": start.isoformat()}, week, "0", part="iso_week")

print(json.dumps(cases, indent=0))
