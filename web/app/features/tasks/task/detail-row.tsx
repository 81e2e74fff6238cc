import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';

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

const MEGABYTE = 1_000_000;

/** Rounded to 1 kB or 0.1 MB. */
export const fileSize = (bytes: number, t: TFunction<'result'>): string =>
  bytes < MEGABYTE
    ? t('panel.details.kilobytes', { size: Math.ceil(bytes / 1000) })
    : t('panel.details.megabytes', { size: Math.round((bytes / MEGABYTE) * 10) / 10 });
