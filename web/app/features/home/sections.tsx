import Plus from 'lucide-react/icons/plus';
import { useTranslation } from 'react-i18next';
import { type ButtonKind, buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';

const STEPS = ['choose', 'enhance', 'compare'] as const;

export function HowItWorks() {
  const { t, i18n } = useTranslation('home');
  return (
    <section id="how-it-works" aria-labelledby="how-it-works-title" className="scroll-mt-8 pt-20 sm:pt-32">
      <h2 id="how-it-works-title" className="text-display-sm">
        {t('how.title')}
      </h2>
      <ol className="mt-8 grid gap-x-12 gap-y-10 sm:mt-12 md:grid-cols-3">
        {STEPS.map((key, index) => (
          <li key={key} className="space-y-3">
            {/* The list says it to those who hear it. */}
            <p aria-hidden className="text-display-sm text-accent-ink">
              {(index + 1).toLocaleString(i18n.language)}
            </p>
            <h3 className="text-xl font-semibold tracking-tight">{t(`how.${key}.title`)}</h3>
            <p className="max-w-sm text-pretty text-muted">{t(`how.${key}.body`)}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Pictures of tests/samples, before and after side by side. */
const GALLERY_SIZE = { width: 1440, height: 640 } as const;

interface GalleryProps {
  readonly pictures: readonly { readonly file: string; readonly tool: string }[];
}

/** Results that the product made. */
export function Gallery({ pictures }: GalleryProps) {
  const { t } = useTranslation(['home', 'common']);
  return (
    <section aria-labelledby="gallery-title" className="pt-20 sm:pt-32">
      <h2 id="gallery-title" className="text-display-sm">
        {t('samples.title')}
      </h2>
      <ul className="mt-8 grid gap-x-6 gap-y-8 sm:mt-12 md:grid-cols-2">
        {pictures.map(({ file, tool }) => (
          <li key={file}>
            <figure className="flex flex-col gap-3">
              <div className="relative overflow-hidden rounded-picture shadow-soft">
                {/* The picture has a direction of its own. */}
                <div dir="ltr" className="absolute inset-x-0 bottom-3 grid grid-cols-2 px-3">
                  <GalleryLabel text={t('common:before')} />
                  <GalleryLabel text={t('common:after')} />
                </div>
                <img src={file} alt={tool} loading="lazy" {...GALLERY_SIZE} className="w-full" />
              </div>
              <figcaption aria-hidden className="font-medium">
                {tool}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  );
}

const GalleryLabel = ({ text }: { readonly text: string }) => (
  <span className="justify-self-start rounded-full bg-black/60 px-2.5 py-1 text-caption font-medium text-white last:ms-2">
    {text}
  </span>
);

/** Formatted prices. */
type TeaserPrices = Readonly<Record<'single' | 'personal' | 'business', string>>;

export interface PlansLink {
  readonly kind: ButtonKind;
  readonly to: string;
  readonly text: string;
}

/** Message keys of each plan's features. */
const POINTS = {
  personal: ['photos', 'watermark', 'models', 'video'],
  business: ['photos', 'formats', 'models', 'batch'],
} as const;

interface PlansTeaserProps {
  readonly prices: TeaserPrices;
  readonly link: PlansLink;
}

export function PlansTeaser({ prices, link: { kind, to, text } }: PlansTeaserProps) {
  const { t } = useTranslation('home');
  return (
    <section id="plans" aria-labelledby="plans-title" className="flex scroll-mt-8 flex-col gap-8 pt-20 sm:pt-32">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div className="flex flex-col gap-3">
          <h2 id="plans-title" className="text-display-sm">
            {t('plans.title')}
          </h2>
          <p className="text-lg text-pretty text-muted">{t('plans.lead')}</p>
        </div>
        <AppLink to={to} className={buttonClass(kind)}>
          {text}
        </AppLink>
      </div>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <Card title={t('plans.free.title')} body={t('plans.free.body')} />
        <Card
          title={t('plans.single.title')}
          price={t('plans.single.price', { price: prices.single })}
          body={t('plans.single.body')}
        />
        {(['personal', 'business'] as const).map((plan) => (
          <Card
            key={plan}
            title={t(`plans.${plan}.title`)}
            price={t('plans.weekly', { price: prices[plan] })}
            points={POINTS[plan].map((point) => t(`plans.${plan}.points.${point}` as 'plans.personal.points.photos'))}
          />
        ))}
      </ul>
    </section>
  );
}

interface CardProps {
  readonly title: string;
  readonly price?: string;
  readonly body?: string;
  readonly points?: readonly string[];
}

function Card({ title, price, body, points = [] }: CardProps) {
  return (
    <li className="flex flex-col gap-2 rounded-card bg-well p-6">
      <h3 className="flex flex-col text-lg font-medium">
        {title}
        {price && <span className="text-base font-normal text-muted">{price}</span>}
      </h3>
      {body && <p className="text-pretty text-muted">{body}</p>}
      {points.length > 0 && (
        <ul className="flex flex-col gap-1 text-pretty text-muted">
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      )}
    </li>
  );
}

const QUESTIONS = ['truth', 'privacy', 'size', 'free'] as const;

export function Questions() {
  const { t } = useTranslation('home');
  return (
    <section
      id="questions"
      aria-labelledby="questions-title"
      className="grid scroll-mt-8 gap-x-16 gap-y-8 py-20 sm:py-32 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]"
    >
      <h2 id="questions-title" className="text-display-sm">
        {t('questions.title')}
      </h2>
      <div className="flex flex-col gap-3">
        {QUESTIONS.map((key) => (
          <details key={key} className="group rounded-2xl bg-raised shadow-soft">
            <summary className="flex cursor-pointer list-none items-center justify-between gap-4 rounded-2xl px-6 py-5 text-lg font-medium [&::-webkit-details-marker]:hidden">
              {t(`questions.${key}.question`)}
              <Plus aria-hidden className="size-5 shrink-0 text-muted transition group-open:rotate-45" />
            </summary>
            <p className="max-w-prose px-6 pb-6 text-pretty text-muted">{t(`questions.${key}.answer`)}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
