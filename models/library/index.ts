/** The library of shapes, by field: the order in which they are listed, and of two that explain data alike the first is meant. */
import { binding } from './shapes/binding.ts';
import { calibration } from './shapes/calibration.ts';
import { decay } from './shapes/decay.ts';
import { doseResponse } from './shapes/dose-response.ts';
import { enzymes } from './shapes/enzymes.ts';
import { events } from './shapes/events.ts';
import { general } from './shapes/general.ts';
import { growth } from './shapes/growth.ts';
import { peaks } from './shapes/peaks.ts';
import { periodic } from './shapes/periodic.ts';
import { pharmacokinetics } from './shapes/pharmacokinetics.ts';
import { physicalChemistry } from './shapes/physical-chemistry.ts';
import { proportions } from './shapes/proportions.ts';
import type { Shape } from './shape.ts';

export const library: readonly Shape[] = [
  ...general,
  ...calibration,
  ...decay,
  ...growth,
  ...enzymes,
  ...doseResponse,
  ...proportions,
  ...binding,
  ...pharmacokinetics,
  ...peaks,
  ...physicalChemistry,
  ...periodic,
  ...events,
];

export function shapeNamed(name: string): Shape | undefined {
  return library.find((shape) => shape.name === name);
}

/** Which of two shapes comes first in the library. */
export function comesFirst(a: Shape, b: Shape): boolean {
  const placeOf = ({ name }: Shape): number => library.findIndex((each) => each.name === name);
  return placeOf(a) < placeOf(b);
}
