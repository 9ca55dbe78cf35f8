use super::*;

#[test]
fn marks_and_text_stand_out_from_the_ground() {
    for theme in [Theme::Light, Theme::Dark] {
        let palette = theme.palette();
        for mark in palette.marks {
            let contrast = mark.contrast(palette.ground);
            assert!(contrast >= 3.0, "{theme:?} {mark} {contrast:.2}");
        }
        for text in [palette.ink, palette.soft] {
            for ground in [palette.ground, palette.panel] {
                let contrast = text.contrast(ground);
                assert!(contrast >= 4.5, "{theme:?} {text} {contrast:.2}");
            }
        }
        assert!(palette.axis.contrast(palette.ground) >= 3.0);
    }
}

#[test]
fn the_legible_colour_reads_on_any_ground() {
    for red in (0..=255).step_by(15) {
        for green in (0..=255).step_by(15) {
            for blue in (0..=255).step_by(15) {
                let ground = Colour(red as u8, green as u8, blue as u8);
                assert!(ground.legible().contrast(ground) >= 4.5, "{ground}");
            }
        }
    }
}

/// What someone without red or green cones sees (Viénot, Brettel and Mollon 1999).
fn seen_by(colour: Colour, rows: [[f64; 3]; 3]) -> [f64; 3] {
    let linear = |c: u8| libm::pow(f64::from(c) / 255.0, 2.2);
    let rgb = [linear(colour.0), linear(colour.1), linear(colour.2)];
    rows.map(|row| {
        let sum: f64 = row.iter().zip(rgb).map(|(a, b)| a * b).sum();
        255.0 * libm::pow(sum.max(0.0), 1.0 / 2.2)
    })
}

#[test]
fn the_first_six_marks_differ_for_the_colour_blind() {
    let deuteranopia = [
        [0.29275, 0.70725, 0.0],
        [0.29275, 0.70725, 0.0],
        [-0.02234, 0.02234, 1.0],
    ];
    let protanopia = [
        [0.11238, 0.88762, 0.0],
        [0.11238, 0.88762, 0.0],
        [0.00401, -0.00401, 1.0],
    ];
    for theme in [Theme::Light, Theme::Dark] {
        for rows in [deuteranopia, protanopia] {
            let seen: Vec<_> = theme.palette().marks[..6]
                .iter()
                .map(|c| seen_by(*c, rows))
                .collect();
            for (i, a) in seen.iter().enumerate() {
                for (j, b) in seen.iter().enumerate().skip(i + 1) {
                    let distance: f64 = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum();
                    assert!(
                        distance.sqrt() >= 20.0,
                        "{theme:?} {i} {j}: {}",
                        distance.sqrt()
                    );
                }
            }
        }
    }
}
