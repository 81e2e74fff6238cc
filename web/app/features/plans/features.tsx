import type { Period } from '@clearframe/contract';
import Check from 'lucide-react/icons/check';
import { useTranslation } from 'react-i18next';
import type { ComparedContents } from './plan-contents.server';

const PICTURES: Readonly<Record<string, string>> = {
  'features.noWatermark': 'watermark',
  'features.faceModels': 'face',
  'features.bokeh': 'blur',
  'features.beautify': 'color',
};

export function Features({ offer, below }: ComparedContents) {
  const { t } = useTranslation('tiers');
  const included = new Set(below?.features.filter(({ check }) => check).map(({ textKey }) => textKey));
  const added = offer.features.filter(({ textKey, check }) => check && !included.has(textKey));
  return (
    <div className="flex flex-col gap-3">
      {below && <p className="font-medium">{t('everythingIn', { plan: t(`plans.${below.plan}.title`) })}</p>}
      <ul className="flex flex-col gap-2.5">
        {added.map(({ textKey }) => (
          <li key={textKey} className="flex min-h-10 items-center gap-3">
            <Sign textKey={textKey} />
            <span className="min-w-0 text-pretty">
              {textOf(t, textKey, { count: offer.exports ?? 0, period: offer.period })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Shown beside an order on desktops. On phones it is the step before the form. */
export function PlanContents(contents: ComparedContents) {
  const { t } = useTranslation('tiers');
  return (
    <section aria-label={t('included')} className="rounded-picture bg-well p-6 max-lg:hidden sm:p-8">
      <Features {...contents} />
    </section>
  );
}

function Sign({ textKey }: { readonly textKey: string }) {
  const picture = PICTURES[textKey];
  if (picture) {
    return (
      <img
        src={`/samples/feature-${picture}.jpg`}
        alt=""
        width={112}
        height={80}
        loading="lazy"
        className="h-10 w-14 shrink-0 rounded-lg object-cover"
      />
    );
  }
  return (
    <span className="grid w-14 shrink-0 place-items-center">
      <span className="grid size-6 place-items-center rounded-full bg-accent/12 text-accent-ink">
        <Check aria-hidden className="size-4" strokeWidth={2.5} />
      </span>
    </span>
  );
}

/** The settings may name features that this version has no text for. */
const textOf = (
  t: ReturnType<typeof useTranslation<'tiers'>>['t'],
  key: string,
  allowance: { readonly count: number; readonly period: Period },
): string => t(key as 'features.personalExports', { defaultValue: key, ...allowance });
