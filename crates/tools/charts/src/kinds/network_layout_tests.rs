use super::*;

#[test]
fn layers_follow_the_longest_way() {
    assert_eq!(layers(4, &[(0, 1), (1, 2), (0, 2), (2, 3)]), [0, 1, 2, 3]);
}

#[test]
fn a_circle_does_not_go_on_for_ever() {
    let layers = layers(3, &[(0, 1), (1, 2), (2, 0)]);
    assert_eq!(layers, [0, 1, 2]);
}

#[test]
fn long_edges_bend_once_in_every_layer_they_pass() {
    let sizes = [(80.0, 30.0); 4];
    let placed = layered(&sizes, &[(0, 1), (1, 2), (2, 3), (0, 3)]);
    assert_eq!(placed.bends[0].len(), 0);
    assert_eq!(placed.bends[3].len(), 2);
}

#[test]
fn sixty_large_nodes_still_come_apart() {
    let sizes = [(154.0, 44.0); 60];
    let links: Vec<(usize, usize)> = (1..60).map(|i| (0, i)).collect();
    let placed = force(&sizes, &links);
    for (i, a) in placed.places.iter().enumerate() {
        for b in &placed.places[i + 1..] {
            let apart = (a.0 - b.0).abs() >= 154.0 || (a.1 - b.1).abs() >= 44.0;
            assert!(apart, "{a:?} {b:?}");
        }
    }
}
