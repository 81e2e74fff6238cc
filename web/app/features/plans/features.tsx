import type { Period } from '@clearframe/contract';
import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ComparedContents } from './plan-contents.server';

export function Features({ offer, below }: ComparedContents) {
  const { t } = useTranslation('tiers');
  const included = new Set(below?.features.filter(({ check }) => check).map(({ textKey }) => textKey));
  const added = offer.features.filter(({ textKey, check }) => check && !included.has(textKey));
  return (
    <div className="flex flex-col gap-3">
      {below && <p className="font-medium">{t('everythingIn', { plan: t(`plans.${below.plan}.title`) })}</p>}
      <ul className="flex flex-col gap-2.5">
        {added.map(({ textKey }) => (
          <Tick key={textKey}>{textOf(t, textKey, { count: offer.exports ?? 0, period: offer.period })}</Tick>
        ))}
      </ul>
    </div>
  );
}

export const Tick = ({ children }: { readonly children: ReactNode }) => (
  <li className="flex gap-3">
    <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-accent-ink" strokeWidth={2.5} />
    <span className="min-w-0 text-pretty">{children}</span>
  </li>
);

/** Shown beside an order on desktops. On phones it is the step before the form. */
export function PlanContents(contents: ComparedContents) {
  const { t } = useTranslation('tiers');
  return (
    <section aria-label={t('included')} className="rounded-picture bg-well p-6 max-lg:hidden sm:p-8">
      <Features {...contents} />
    </section>
  );
}

/** The settings may name features that this version has no text for. */
const textOf = (
  t: ReturnType<typeof useTranslation<'tiers'>>['t'],
  key: string,
  allowance: { readonly count: number; readonly period: Period },
): string => t(key as 'features.personalExports', { defaultValue: key, ...allowance });
