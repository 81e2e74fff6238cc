import ImagePlus from 'lucide-react/icons/image-plus';
import ScanFace from 'lucide-react/icons/scan-face';
import SquareSplitHorizontal from 'lucide-react/icons/square-split-horizontal';
import { useTranslation } from 'react-i18next';

const STEPS = [
  { key: 'choose', Icon: ImagePlus },
  { key: 'enhance', Icon: ScanFace },
  { key: 'compare', Icon: SquareSplitHorizontal },
] as const;

export function HowItWorks() {
  const { t } = useTranslation('home');
  return (
    <section id="how-it-works" aria-labelledby="how-it-works-title" className="scroll-mt-8 pt-20 sm:pt-32">
      <h2 id="how-it-works-title" className="text-display-sm">
        {t('how.title')}
      </h2>
      <ol className="mt-8 grid gap-x-12 gap-y-10 sm:mt-12 md:grid-cols-3">
        {STEPS.map(({ key, Icon }) => (
          <li key={key} className="space-y-3">
            <Icon aria-hidden className="size-7 text-accent-ink" strokeWidth={1.75} />
            <h3 className="text-xl font-semibold tracking-tight">{t(`how.${key}.title`)}</h3>
            <p className="max-w-sm text-pretty text-muted">{t(`how.${key}.body`)}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
