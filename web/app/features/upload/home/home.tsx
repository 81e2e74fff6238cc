import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../../http/problem';
import { DropTarget } from '../drop/drop-target';
import type { Uploader } from '../shared/uploader';
import { HowItWorks } from './how-it-works';
import { type PlansLink, PlansTeaser, type TeaserPrices } from './plans-teaser';
import { Questions } from './questions';
import { SampleStage } from './sample-stage';

interface HomeProps {
  readonly accept: string;
  readonly uploader: Uploader;
  readonly problem: ProblemView | null;
  readonly prices: TeaserPrices;
  readonly plansLink: PlansLink;
  /** Null where no notice is required. */
  readonly biometricNotice: string | null;
}

/** Its flag is usually off. */
const BiometricNotice = lazy(async () => ({ default: (await import('./biometric-notice')).BiometricNotice }));

export function Home({ accept, uploader, problem, prices, plansLink, biometricNotice }: HomeProps) {
  const { t } = useTranslation('home');
  return (
    <div className="mx-auto w-full max-w-7xl px-5 sm:px-8">
      <section className="grid gap-x-16 gap-y-6 short:gap-y-4 sm:gap-y-7 sm:pt-6 sideways:grid-cols-2 sideways:gap-x-6 sideways:grid-rows-[auto_1fr] sideways:gap-y-3 sideways:pt-0 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] lg:grid-rows-[auto_1fr]">
        <div className="flex flex-col gap-3 short:gap-2 sm:gap-6 sideways:gap-1">
          <h1 className="text-display">{t('headline')}</h1>
          <p className="max-w-xl text-lg text-pretty text-muted short:text-base sm:text-xl sideways:text-base">
            {t('lead')}
          </p>
        </div>
        <SampleStage className="sideways:col-start-2 sideways:row-span-2 sideways:row-start-1 lg:col-start-2 lg:row-span-2 lg:row-start-1" />
        <DropTarget accept={accept} uploader={uploader} problem={problem}>
          {biometricNotice && (
            <Suspense fallback={null}>
              <BiometricNotice text={biometricNotice} />
            </Suspense>
          )}
        </DropTarget>
      </section>
      <HowItWorks />
      <PlansTeaser prices={prices} link={plansLink} />
      <Questions />
    </div>
  );
}
