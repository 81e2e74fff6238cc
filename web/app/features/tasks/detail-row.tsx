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
  /** Unknown parts are left out. */
  readonly parts: readonly (string | number | false | null)[];
}

/** Each part has its own direction, so that they stay in the order of the page's language. */
export function PartsRow({ term, parts }: PartsRowProps) {
  return (
    <div>
      <dt className="text-muted">{term}</dt>
      <dd className="break-words">
        {parts
          .filter((part) => typeof part === 'string')
          .map((part, at) => (
            <Fragment key={part}>
              {at > 0 && ' · '}
              <bdi>{part}</bdi>
            </Fragment>
          ))}
      </dd>
    </div>
  );
}

const MEGABYTE = 1_000_000;

/** Rounded to 1 kB or 0.1 MB. */
export const fileSize = (bytes: number, t: TFunction<'result'>): string =>
  bytes < MEGABYTE
    ? t('panel.details.kilobytes', { size: Math.ceil(bytes / 1000) })
    : t('panel.details.megabytes', { size: Math.round((bytes / MEGABYTE) * 10) / 10 });
