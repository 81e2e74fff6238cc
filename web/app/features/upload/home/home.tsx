import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../../http/problem';
import { CompareSlider } from '../../../ui/picture/compare-slider';
import { DropTarget } from '../drop/drop-target';
import type { UploadRules } from '../shared/upload-rules';
import { HowItWorks } from './how-it-works';
import { PlansTeaser, type TeaserPrices } from './plans-teaser';
import { Questions } from './questions';
import { SamplePicker } from './sample-picker';

interface HomeProps {
  readonly rules: UploadRules;
  /** Error of an upload without JavaScript. */
  readonly problem: ProblemView | null;
  readonly prices: TeaserPrices;
}

export function Home({ rules, problem, prices }: HomeProps) {
  const { t } = useTranslation(['home', 'common']);
  return (
    <div className="mx-auto w-full max-w-7xl px-5 sm:px-8">
      <section className="grid items-start gap-x-16 gap-y-12 pt-4 sm:pt-6 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)]">
        <div className="flex flex-col gap-6 sm:gap-7">
          <h1 className="text-display">{t('headline')}</h1>
          <p className="max-w-lg text-lg text-pretty text-muted sm:text-xl">{t('lead')}</p>
          <DropTarget rules={rules} problem={problem} />
          <SamplePicker />
        </div>
        <Demo />
      </section>
      <HowItWorks />
      <PlansTeaser prices={prices} />
      <Questions />
    </div>
  );
}

function Demo() {
  const { t } = useTranslation(['home', 'common']);
  return (
    <CompareSlider
      className="shadow-float lg:aspect-[4/5]"
      label={t('demo.label')}
      beforeLabel={t('common:before')}
      afterLabel={t('common:after')}
      before={<img src="/samples/astronaut.jpg" alt="" width={640} height={800} />}
      after={
        <picture>
          <source srcSet="/samples/astronaut-after.avif" type="image/avif" />
          <img src="/samples/astronaut-after.jpg" alt={t('demo.alt')} width={640} height={800} fetchPriority="high" />
        </picture>
      }
    />
  );
}
