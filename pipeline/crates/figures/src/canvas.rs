//! The backend that plotters draws on, and the element that plotters places for us: what it draws goes to a
//! [`Scene`]. Its unit is a tenth of a pixel, since plotters rounds every coordinate to a whole number.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use plotters::element::{Drawable, PointCollection};
use plotters::prelude::{DrawingBackend, FontStyle, FontTransform};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind};

use super::font::{ASCENT, DESCENT, Weight};
use super::scene::{Scene, UNITS, units};
use super::style::{Color, Pen, Type};

/// Height of the surface before a figure says how much of it is used.
const TALLEST: f64 = 8000.0;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// The surface of one figure, of this width.
#[derive(Clone)]
pub(super) struct Canvas {
    pub(super) scene: Rc<RefCell<Scene>>,
    pub(super) width: f64,
}

impl Canvas {
    fn path(
        &self,
        points: &[BackendCoord],
        closed: bool,
        fill: Option<BackendColor>,
        pen: Option<Pen>,
    ) -> Drawn {
        self.scene.borrow_mut().path(points, closed, fill.map(Color::from), pen);
        Ok(())
    }
}

/// The pen that a style of plotters stands for; its widths are drawing units.
fn pen(style: &impl BackendStyle) -> Pen {
    Pen::new(style.color().into(), f64::from(style.stroke_width()) / UNITS)
}

fn weight(style: FontStyle) -> Weight {
    match style {
        FontStyle::Bold => Weight::Semibold,
        _ => Weight::Regular,
    }
}

impl DrawingBackend for Canvas {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (units(self.width) as u32, units(TALLEST) as u32)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        self.scene.borrow_mut().dots(&[point], 0.5 / UNITS, color.into());
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.path(&[from, to], false, None, Some(pen(style)))
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        self.path(&corners, true, fill.then(|| style.color()), (!fill).then(|| pen(style)))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.path(&path.into_iter().collect::<Vec<_>>(), false, None, Some(pen(style)))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        vert: I,
        style: &S,
    ) -> Drawn {
        self.path(&vert.into_iter().collect::<Vec<_>>(), true, Some(style.color()), None)
    }

    fn draw_text<T: BackendTextStyle>(&mut self, text: &str, style: &T, pos: BackendCoord) -> Drawn {
        let kind = Type {
            size: style.size() / UNITS,
            weight: weight(style.style()),
            color: style.color().into(),
            horizontal: style.anchor().h_pos,
            vertical: style.anchor().v_pos,
            turned: matches!(style.transform(), FontTransform::Rotate270),
        };
        self.scene.borrow_mut().text(pos, text, kind);
        Ok(())
    }

    fn estimate_text_size<T: BackendTextStyle>(
        &self,
        text: &str,
        style: &T,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let width = weight(style.style()).width(text, style.size());
        Ok((width.ceil() as u32, ((ASCENT + DESCENT) * style.size()).ceil() as u32))
    }
}

/// What plotters has no element for: something that is painted at points, which plotters places.
pub(super) struct Placed<C, F> {
    pub(super) points: Vec<C>,
    pub(super) paint: F,
}

impl<'a, C: 'a, F> PointCollection<'a, C> for &'a Placed<C, F> {
    type Point = &'a C;
    type IntoIter = &'a [C];

    fn point_iter(self) -> &'a [C] {
        &self.points
    }
}

impl<C, F: Fn(&[BackendCoord], &mut Scene)> Drawable<Canvas> for Placed<C, F> {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, points: I, canvas: &mut Canvas, _: (u32, u32)) -> Drawn {
        (self.paint)(&points.collect::<Vec<_>>(), &mut canvas.scene.borrow_mut());
        Ok(())
    }
}
