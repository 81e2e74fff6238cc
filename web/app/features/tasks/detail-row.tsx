import type { TFunction } from 'i18next';
import { Fragment, type ReactNode } from 'react';

export function Row({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{term}</dt>
      <dd className="break-words">
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

interface PartsRowProps {
  readonly term: string;
  readonly parts: PartsProps['parts'];
}

export function PartsRow({ term, parts }: PartsRowProps) {
  return (
    <div>
      <dt className="text-muted">{term}</dt>
      <dd className="break-words">
        <Parts parts={parts} />
      </dd>
    </div>
  );
}

interface PartsProps {
  /** Unknown parts are left out. */
  readonly parts: readonly (string | number | false | null)[];
}

/** Each part has its own direction, so that they stay in the order of the page's language. */
export const Parts = ({ parts }: PartsProps) =>
  parts
    .filter((part) => typeof part === 'string')
    .map((part, at) => (
      <Fragment key={part}>
        {at > 0 && ' · '}
        <bdi>{part}</bdi>
      </Fragment>
    ));

const MEGABYTE = 1_000_000;

/** Rounded to 1 kB or 0.1 MB. */
export const fileSize = (bytes: number, t: TFunction<'result'>): string =>
  bytes < MEGABYTE
    ? t('panel.details.kilobytes', { size: Math.ceil(bytes / 1000) })
    : t('panel.details.megabytes', { size: Math.round((bytes / MEGABYTE) * 10) / 10 });

const DOTS_PER_INCH = 300;
const CENTIMETERS_PER_INCH = 2.54;

/** Of a print at 300 dots an inch: in centimeters, and in inches before them in English, which doesn't tell the country. */
export function printSizes(
  { width, height }: { readonly width: number; readonly height: number },
  language: string,
  t: TFunction<'result'>,
): string[] {
  const sizeIn = (perInch: number) => {
    const lengthOf = (pixels: number) => Math.round((10 * pixels * perInch) / DOTS_PER_INCH) / 10;
    return { width: lengthOf(width), height: lengthOf(height) };
  };
  const centimeters = t('panel.details.centimeters', sizeIn(CENTIMETERS_PER_INCH));
  return language === 'en' ? [t('panel.details.inches', sizeIn(1)), centimeters] : [centimeters];
}
