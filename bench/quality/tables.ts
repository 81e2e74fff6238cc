import { table } from '../support/results.ts';
import { SEVERITIES, type Severity } from './degrade.ts';
import type { Variant } from './variants.ts';

export const SEVERITY_NAMES = Object.keys(SEVERITIES) as Severity[];
/** Classes of face height in pixels after downsampling. The first one, reported separately, overlaps the next two. */
const FACE_SIZES = [
  { label: 'under 24', lower: 0, upper: 24 },
  { label: 'under 16', lower: 0, upper: 16 },
  { label: '16–32', lower: 16, upper: 32 },
  { label: '32–64', lower: 32, upper: 64 },
  { label: '64–128', lower: 64, upper: 128 },
  { label: 'above', lower: 128, upper: Number.POSITIVE_INFINITY },
] as const;

export interface FaceScore {
  readonly realHeight: number;
  readonly ssim: number;
  /** Share of the truth's sharpness (variance of the Laplacian). */
  readonly sharpness: number;
  readonly identity: number | null;
}

export interface Score {
  readonly photo: string;
  readonly variant: string;
  readonly severity: Severity;
  readonly ssim: number;
  readonly msSsim: number;
  readonly gmsd: number;
  readonly faces: readonly FaceScore[];
}

export type Groups = Readonly<Record<string, readonly string[]>>;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const shown = (values: readonly number[], digits = 3): string =>
  values.length === 0 ? '–' : mean(values).toFixed(digits);

const FACE_COLUMNS = ['face SSIM', 'face sharpness', 'identity distance'];
const faceValues = (faces: readonly FaceScore[]): string[] => [
  shown(faces.map((face) => face.ssim)),
  shown(faces.map((face) => face.sharpness)),
  shown(faces.flatMap(({ identity }) => identity ?? [])),
];

export function summaryTable(scores: readonly Score[], variants: readonly Variant[]): string {
  const rows = SEVERITY_NAMES.flatMap((severity) =>
    variants.map(({ name }) => {
      const own = scores.filter((score) => score.severity === severity && score.variant === name);
      const column = (key: 'ssim' | 'msSsim' | 'gmsd') =>
        shown(
          own.map((score) => score[key]),
          4,
        );
      return [
        severity,
        name,
        column('ssim'),
        column('msSsim'),
        column('gmsd'),
        ...faceValues(own.flatMap(({ faces }) => faces)),
      ];
    }),
  );
  return table([
    ['severity', 'variant', 'SSIM', 'MS-SSIM', 'GMSD', ...FACE_COLUMNS],
    ...rows.filter(([, , value]) => value !== '–'),
  ]);
}

export function faceTable(scores: readonly Score[], variants: readonly Variant[]): string {
  const rows = FACE_SIZES.flatMap(({ label, lower, upper }) =>
    variants.map(({ name }) => {
      const faces = scores
        .filter((score) => score.variant === name)
        .flatMap((score) => score.faces)
        .filter(({ realHeight }) => realHeight >= lower && realHeight < upper);
      return [label, name, faces.length, ...faceValues(faces)];
    }),
  );
  return table([
    ['real face height, px', 'variant', 'faces', ...FACE_COLUMNS],
    ...rows.filter(([, , count]) => count !== 0),
  ]);
}

export function groupTable(scores: readonly Score[], variants: readonly Variant[], groups: Groups): string {
  const names = [...new Set(Object.values(groups).flat())].sort();
  const rows = names.flatMap((group) =>
    SEVERITY_NAMES.flatMap((severity) =>
      variants.map(({ name }) => {
        const faces = scores
          .filter((score) => score.variant === name && score.severity === severity)
          .filter(({ photo }) => groups[photo]?.includes(group))
          .flatMap((score) => score.faces);
        return [group, severity, name, faces.length, ...faceValues(faces)];
      }),
    ),
  );
  return table([
    ['group', 'severity', 'variant', 'faces', ...FACE_COLUMNS],
    ...rows.filter(([, , , count]) => count !== 0),
  ]);
}
