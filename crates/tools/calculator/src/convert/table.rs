//! The units themselves, in kilograms, metres and seconds, by their symbols. Case counts: mg is not Mg.

use rust_decimal::{Decimal, dec};

use super::dimension::Base::{
    self, Amount, Current, Equivalent, Information, InternationalUnit, Length, Light, Mass,
    Temperature, Time,
};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefixes {
    None,
    Decimal,
    /// From kilo up: a millitonne or a decibyte is a mistake.
    Large,
    LargeAndBinary,
}

pub(super) struct Known {
    pub(super) symbols: &'static [&'static str],
    /// Numerator and denominator of the size in base units.
    pub(super) size: (Decimal, Decimal),
    /// Where zero lies, in kelvin, for temperatures.
    pub(super) zero: (Decimal, Decimal),
    pub(super) prefixes: Prefixes,
    pub(super) powers: &'static [(Base, i32)],
}

type Powers = &'static [(Base, i32)];
type Symbols = &'static [&'static str];

const NO_ZERO: (Decimal, Decimal) = (dec!(0), dec!(1));

const fn fraction(symbols: Symbols, size: (Decimal, Decimal), powers: Powers) -> Known {
    Known {
        symbols,
        size,
        zero: NO_ZERO,
        prefixes: Prefixes::None,
        powers,
    }
}

const fn plain(symbols: Symbols, size: Decimal, powers: Powers) -> Known {
    fraction(symbols, (size, dec!(1)), powers)
}

const fn si(symbols: Symbols, size: Decimal, powers: Powers) -> Known {
    Known {
        symbols,
        size: (size, dec!(1)),
        zero: NO_ZERO,
        prefixes: Prefixes::Decimal,
        powers,
    }
}

const fn bits(symbols: Symbols, size: Decimal) -> Known {
    Known {
        symbols,
        size: (size, dec!(1)),
        zero: NO_ZERO,
        prefixes: Prefixes::LargeAndBinary,
        powers: &[(Information, 1)],
    }
}

const fn temperature(
    symbols: Symbols,
    size: (Decimal, Decimal),
    zero: (Decimal, Decimal),
) -> Known {
    Known {
        symbols,
        size,
        zero,
        prefixes: Prefixes::None,
        powers: &[(Temperature, 1)],
    }
}

const NONE: Powers = &[];
const LENGTH: Powers = &[(Length, 1)];
const AREA: Powers = &[(Length, 2)];
const VOLUME: Powers = &[(Length, 3)];
const MASS: Powers = &[(Mass, 1)];
const TIME: Powers = &[(Time, 1)];
const SPEED: Powers = &[(Length, 1), (Time, -1)];
const FORCE: Powers = &[(Mass, 1), (Length, 1), (Time, -2)];
const PRESSURE: Powers = &[(Mass, 1), (Length, -1), (Time, -2)];
const ENERGY: Powers = &[(Mass, 1), (Length, 2), (Time, -2)];
const POWER: Powers = &[(Mass, 1), (Length, 2), (Time, -3)];
const DENSITY: Powers = &[(Mass, 1), (Length, -3)];

pub(super) const UNITS: &[Known] = &[
    plain(&["%", "percent", "%v/v", "%w/w"], dec!(0.01), NONE),
    plain(&["‰"], dec!(0.001), NONE),
    plain(&["ppm"], dec!(0.000001), NONE),
    plain(&["ppb"], dec!(0.000000001), NONE),
    plain(&["ratio"], dec!(1), NONE),
    plain(&["dozen"], dec!(12), NONE),
    plain(&["%w/v"], dec!(10), DENSITY),
    plain(&["mg%"], dec!(0.01), DENSITY),
    si(
        &["m", "meter", "metre", "meters", "metres"],
        dec!(1),
        LENGTH,
    ),
    plain(&["in", "inch", "inches"], dec!(0.0254), LENGTH),
    plain(&["ft", "foot", "feet"], dec!(0.3048), LENGTH),
    plain(&["yd", "yard", "yards"], dec!(0.9144), LENGTH),
    plain(&["mi", "mile", "miles"], dec!(1609.344), LENGTH),
    plain(&["nmi"], dec!(1852), LENGTH),
    plain(&["Å", "angstrom"], dec!(0.0000000001), LENGTH),
    plain(&["ha", "hectare"], dec!(10000), AREA),
    plain(&["acre", "acres"], dec!(4046.8564224), AREA),
    si(
        &["L", "l", "liter", "litre", "liters", "litres"],
        dec!(0.001),
        VOLUME,
    ),
    plain(&["cc", "ccm"], dec!(0.000001), VOLUME),
    plain(&["gal", "gallon", "gallons"], dec!(0.003785411784), VOLUME),
    plain(&["gal_uk"], dec!(0.00454609), VOLUME),
    plain(&["qt", "quart"], dec!(0.000946352946), VOLUME),
    plain(&["pt", "pint"], dec!(0.000473176473), VOLUME),
    plain(&["cup"], dec!(0.0002365882365), VOLUME),
    plain(&["floz", "fl_oz"], dec!(0.0000295735295625), VOLUME),
    plain(&["tbsp"], dec!(0.00001478676478125), VOLUME),
    plain(&["tsp"], dec!(0.00000492892159375), VOLUME),
    plain(&["bbl"], dec!(0.158987294928), VOLUME),
    si(&["g", "gram", "grams"], dec!(0.001), MASS),
    Known {
        prefixes: Prefixes::Large,
        ..plain(&["t", "tonne", "tonnes"], dec!(1000), MASS)
    },
    plain(&["lb", "lbs", "pound", "pounds"], dec!(0.45359237), MASS),
    plain(&["oz", "ounce", "ounces"], dec!(0.028349523125), MASS),
    plain(&["st", "stone"], dec!(6.35029318), MASS),
    plain(&["grain", "grains"], dec!(0.00006479891), MASS),
    plain(&["ct", "carat"], dec!(0.0002), MASS),
    plain(&["ton_us"], dec!(907.18474), MASS),
    si(&["s", "sec", "second", "seconds"], dec!(1), TIME),
    plain(&["min", "minute", "minutes"], dec!(60), TIME),
    plain(&["h", "hr", "hour", "hours"], dec!(3600), TIME),
    plain(&["d", "day", "days"], dec!(86400), TIME),
    plain(&["wk", "week", "weeks"], dec!(604800), TIME),
    plain(&["yr", "year", "years"], dec!(31557600), TIME),
    si(&["Hz"], dec!(1), &[(Time, -1)]),
    fraction(&["bpm", "rpm"], (dec!(1), dec!(60)), &[(Time, -1)]),
    fraction(&["kph", "kmh"], (dec!(1000), dec!(3600)), SPEED),
    fraction(&["mph"], (dec!(0.44704), dec!(1)), SPEED),
    fraction(&["kn", "knot", "knots"], (dec!(1852), dec!(3600)), SPEED),
    si(&["K", "kelvin"], dec!(1), &[(Temperature, 1)]),
    temperature(
        &["degC", "°C", "C", "celsius"],
        (dec!(1), dec!(1)),
        (dec!(273.15), dec!(1)),
    ),
    temperature(
        &["degF", "°F", "F", "fahrenheit"],
        (dec!(5), dec!(9)),
        (dec!(2298.35), dec!(9)),
    ),
    temperature(&["degR", "°R"], (dec!(5), dec!(9)), NO_ZERO),
    si(&["N"], dec!(1), FORCE),
    plain(&["lbf"], dec!(4.4482216152605), FORCE),
    plain(&["kgf"], dec!(9.80665), FORCE),
    si(&["Pa"], dec!(1), PRESSURE),
    si(&["bar"], dec!(100000), PRESSURE),
    plain(&["atm"], dec!(101325), PRESSURE),
    plain(&["mmHg", "mm[Hg]"], dec!(133.322387415), PRESSURE),
    plain(&["cmH2O", "cm[H2O]"], dec!(98.0665), PRESSURE),
    plain(&["inHg"], dec!(3386.388640341), PRESSURE),
    fraction(&["torr", "Torr"], (dec!(101325), dec!(760)), PRESSURE),
    fraction(
        &["psi"],
        (dec!(4.4482216152605), dec!(0.00064516)),
        PRESSURE,
    ),
    si(&["J", "joule"], dec!(1), ENERGY),
    si(&["cal"], dec!(4.184), ENERGY),
    plain(&["Cal"], dec!(4184), ENERGY),
    si(&["Wh"], dec!(3600), ENERGY),
    plain(&["BTU", "Btu"], dec!(1055.05585262), ENERGY),
    si(&["W", "watt"], dec!(1), POWER),
    plain(&["hp"], dec!(745.69987158227022), POWER),
    plain(&["PS"], dec!(735.49875), POWER),
    si(&["A", "ampere"], dec!(1), &[(Current, 1)]),
    si(
        &["V", "volt"],
        dec!(1),
        &[(Mass, 1), (Length, 2), (Time, -3), (Current, -1)],
    ),
    si(
        &["Ω", "ohm"],
        dec!(1),
        &[(Mass, 1), (Length, 2), (Time, -3), (Current, -2)],
    ),
    si(&["cd"], dec!(1), &[(Light, 1)]),
    si(&["Gy"], dec!(1), &[(Length, 2), (Time, -2)]),
    si(&["Sv"], dec!(1), &[(Length, 2), (Time, -2)]),
    si(&["Bq"], dec!(1), &[(Time, -1)]),
    si(&["Ci"], dec!(37000000000), &[(Time, -1)]),
    si(&["mol", "mole", "moles"], dec!(1), &[(Amount, 1)]),
    si(&["M", "molar"], dec!(1000), &[(Amount, 1), (Length, -3)]),
    si(&["kat"], dec!(1), &[(Amount, 1), (Time, -1)]),
    si(&["Eq", "eq"], dec!(1), &[(Equivalent, 1)]),
    si(
        &["IU", "[IU]", "U", "unit", "units"],
        dec!(1),
        &[(InternationalUnit, 1)],
    ),
    bits(&["bit", "bits", "b"], dec!(1)),
    bits(&["B", "byte", "bytes"], dec!(8)),
];

/// Powers of ten; `mc` is how prescriptions write micro.
pub(super) const PREFIXES: &[(&str, i32)] = &[
    ("mc", -6),
    ("da", 1),
    ("Y", 24),
    ("Z", 21),
    ("E", 18),
    ("P", 15),
    ("T", 12),
    ("G", 9),
    ("M", 6),
    ("k", 3),
    ("h", 2),
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("u", -6),
    ("µ", -6),
    ("μ", -6),
    ("n", -9),
    ("p", -12),
    ("f", -15),
    ("a", -18),
    ("z", -21),
    ("y", -24),
];

/// Powers of two.
pub(super) const BINARY_PREFIXES: &[(&str, u32)] = &[
    ("Ki", 10),
    ("Mi", 20),
    ("Gi", 30),
    ("Ti", 40),
    ("Pi", 50),
    ("Ei", 60),
];

pub(super) const CURRENCIES: &[&str] = &[
    "AED", "AUD", "BGN", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF",
    "IDR", "ILS", "INR", "ISK", "JPY", "KRW", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON",
    "SAR", "SEK", "SGD", "THB", "TRY", "UAH", "USD", "VND", "ZAR",
];
