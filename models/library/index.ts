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
import type { Shape } from './shape.ts';

export const library: readonly Shape[] = [
  ...general,
  ...calibration,
  ...decay,
  ...growth,
  ...enzymes,
  ...doseResponse,
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
