import Download from 'lucide-react/icons/download';
import Film from 'lucide-react/icons/film';
import Share2 from 'lucide-react/icons/share-2';
import { Badge } from '../../ui/content/badge';
import { FeatureList } from '../../ui/content/feature-list';
import { Notice } from '../../ui/content/notice';
import { ProgressBar } from '../../ui/content/progress-bar';
import { Skeleton } from '../../ui/content/skeleton';
import { Spinner } from '../../ui/content/spinner';
import { Button } from '../../ui/controls/button';
import { CompareSlider } from '../../ui/picture/compare-slider';
import { Specimen } from './specimen';
import type { Texts } from './variants';

export function ContentSpecimens({ texts }: { readonly texts: Texts }) {
  return (
    <>
      <Specimen title={texts.buttons} isWide>
        <div className="flex flex-wrap items-center gap-3">
          <Button kind="primary">
            <Download aria-hidden className="size-5" />
            {texts.primary}
          </Button>
          <Button kind="quiet">{texts.quiet}</Button>
          <Button kind="ghost">{texts.ghost}</Button>
          <Button kind="danger">{texts.danger}</Button>
          <Button kind="primary" disabled>
            {texts.unavailable}
          </Button>
          <Button kind="quiet" disabled>
            {texts.unavailable}
          </Button>
          <Button kind="primary" size="small">
            {texts.small}
          </Button>
          <Button kind="quiet" size="icon" aria-label={texts.share}>
            <Share2 aria-hidden className="size-5" />
          </Button>
        </div>
      </Specimen>
      <Specimen title={texts.badges}>
        <div className="flex flex-wrap items-center gap-3">
          <Badge variant="soon">{texts.soon}</Badge>
          <Badge variant="pro">{texts.pro}</Badge>
          <Badge variant="new">{texts.new}</Badge>
          <Badge variant="new-animated">{texts.new}</Badge>
          <Badge variant="business">{texts.business}</Badge>
          <Badge variant="beta">{texts.beta}</Badge>
          <Badge variant="large">{texts.large}</Badge>
        </div>
      </Specimen>
      <Specimen title={texts.features}>
        <FeatureList
          includedLabel={texts.included}
          excludedLabel={texts.excluded}
          features={[
            { key: '1', text: texts.feature1, isIncluded: true },
            { key: '2', text: texts.feature2, isIncluded: true },
            { key: '3', text: texts.feature3, isIncluded: true, Icon: Film },
            { key: '4', text: texts.feature4, isIncluded: false },
          ]}
        />
      </Specimen>
      <Specimen title={texts.waiting} isWide>
        <div className="grid items-center gap-6 @lg:grid-cols-[auto_1fr]">
          <Spinner label={texts.loading} className="text-accent-ink" />
          <div className="flex flex-col gap-4">
            <Skeleton className="h-5 w-2/3" />
            <Skeleton className="h-5" />
            <ProgressBar label={texts.progress} value={0.4} />
            <ProgressBar label={texts.progress} value={null} />
          </div>
        </div>
      </Specimen>
      <Specimen title={texts.notices} isWide>
        <Notice>{texts.notice}</Notice>
      </Specimen>
      <Specimen title={texts.compare} isWide>
        <CompareSlider
          className="mx-auto max-w-sm"
          label={texts.handle}
          beforeLabel={texts.before}
          afterLabel={texts.after}
          before={<img src="/samples/astronaut.jpg" alt="" width={800} height={1000} loading="lazy" />}
          after={<img src="/samples/astronaut-after.jpg" alt="" width={800} height={1000} loading="lazy" />}
        />
      </Specimen>
    </>
  );
}
