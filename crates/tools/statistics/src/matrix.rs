//! Least squares by Householder's QR, which needs no squared condition number.

use libm::sqrt;

/// A predictor whose part not explained by those before it is smaller than this share counts as explained.
const RANK_TOLERANCE: f64 = 1e-10;

/// A fit of `y` by columns.
pub(crate) struct Fit {
    pub(crate) coefficients: Vec<f64>,
    upper: Vec<Vec<f64>>,
}

impl Fit {
    /// The same columns with other coefficients.
    pub(crate) fn with_coefficients(self, coefficients: Vec<f64>) -> Self {
        Self {
            coefficients,
            ..self
        }
    }

    /// Variance of the coefficients weighted by `contrast`, for residuals of variance one.
    pub(crate) fn variance(&self, contrast: &[f64]) -> f64 {
        let mut solution = contrast.to_vec();
        for row in 0..solution.len() {
            let known: f64 = (0..row)
                .map(|above| self.upper[above][row] * solution[above])
                .sum();
            solution[row] = (solution[row] - known) / self.upper[row][row];
        }
        solution.iter().map(|value| value * value).sum()
    }
}

/// The columns `[0, index]` are not independent.
pub(crate) struct Dependent {
    pub(crate) index: usize,
}

/// Fits `y` by `columns`, all of the same length and no fewer rows than columns.
pub(crate) fn least_squares(mut columns: Vec<Vec<f64>>, mut y: Vec<f64>) -> Result<Fit, Dependent> {
    let width = columns.len();
    let mut upper = vec![vec![0.0; width]; width];
    for k in 0..width {
        let whole = norm(&columns[k]);
        let rest = norm(&columns[k][k..]);
        if rest <= RANK_TOLERANCE * whole || !rest.is_finite() {
            return Err(Dependent { index: k });
        }
        let mut mirror: Vec<f64> = columns[k][k..].to_vec();
        let diagonal = if mirror[0] > 0.0 { -rest } else { rest };
        mirror[0] -= diagonal;
        let length = norm(&mirror);
        mirror.iter_mut().for_each(|value| *value /= length);
        for column in columns[k + 1..].iter_mut().chain([&mut y]) {
            reflect(&mirror, &mut column[k..]);
        }
        upper[k][k] = diagonal;
        for other in k + 1..width {
            upper[k][other] = columns[other][k];
        }
    }
    let coefficients = back_substitute(&upper, &y[..width]);
    Ok(Fit {
        coefficients,
        upper,
    })
}

fn norm(values: &[f64]) -> f64 {
    sqrt(values.iter().map(|value| value * value).sum())
}

fn reflect(mirror: &[f64], values: &mut [f64]) {
    let along: f64 = mirror.iter().zip(values.iter()).map(|(m, v)| m * v).sum();
    for (value, m) in values.iter_mut().zip(mirror) {
        *value -= 2.0 * along * m;
    }
}

fn back_substitute(upper: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut solution = right.to_vec();
    for row in (0..solution.len()).rev() {
        let known: f64 = (row + 1..solution.len())
            .map(|column| upper[row][column] * solution[column])
            .sum();
        solution[row] = (solution[row] - known) / upper[row][row];
    }
    solution
}
