import { useFetcher } from '@remix-run/react';
import Download from 'lucide-react/icons/download';
import Film from 'lucide-react/icons/film';
import Share2 from 'lucide-react/icons/share-2';
import { type ReactNode, useId, useState } from 'react';
import { Badge } from '../../ui/content/badge';
import { FeatureList } from '../../ui/content/feature-list';
import { Notice } from '../../ui/content/notice';
import { ProgressBar, Skeleton, Spinner } from '../../ui/content/waiting';
import { Button } from '../../ui/controls/button';
import { Toggle } from '../../ui/controls/choices';
import { SegmentedSelector } from '../../ui/controls/segmented-selector';
import { Slider } from '../../ui/controls/slider';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { ToggleTooltip } from '../../ui/controls/toggle-tooltip';
import { CompareSlider } from '../../ui/picture/compare-slider';
import { useToast } from '../../ui/toast/toast-list';
import texts from './gallery.json';

export const THEMES = ['light', 'dark'] as const;
export const DIRECTIONS = ['ltr', 'rtl'] as const;

export interface Variant {
  readonly theme: (typeof THEMES)[number];
  readonly direction: (typeof DIRECTIONS)[number];
}

/** Not translated: the page is for developers. */
export const TEXTS = texts;
type Texts = typeof texts.ltr;

interface SpecimenProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

function Specimen({ title, children, isWide = false }: SpecimenProps) {
  return (
    <div className={`min-w-0 rounded-card bg-raised p-5 shadow-soft ${isWide ? '@2xl:col-span-2' : ''}`}>
      <h2 className="mb-4 text-sm font-medium text-muted">{title}</h2>
      {children}
    </div>
  );
}

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
          <Badge variant="problem">{texts.problem}</Badge>
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

const VIDEO = '/samples/tool-faceEnhance.mp4';

const withNumber = (text: string, off: number): string => text.replace('{off}', String(off));

export function ControlSpecimens({ texts }: { readonly texts: Texts }) {
  const [period, setPeriod] = useState('monthly');
  const [action, setAction] = useState('');
  return (
    <>
      <Specimen title={texts.segmented} isWide>
        <div className="flex flex-col gap-4">
          <SegmentedSelector
            label={texts.period}
            options={[
              { key: 'weekly', label: texts.weekly },
              { key: 'monthly', label: texts.monthly, offBadge: 35 },
              { key: 'yearly', label: texts.yearly, offBadge: 50 },
            ]}
            selected={period}
            onSelect={setPeriod}
            action={setAction}
            discountText={(off) => withNumber(texts.save, off)}
          />
          <output className="sr-only">{action}</output>
          <SegmentedSelector
            label={texts.mode}
            options={[
              { key: 'photos', label: texts.photos },
              { key: 'videos', label: texts.videos, offBadge: 16 },
            ]}
            discountText={(off) => withNumber(texts.saveLong, off)}
          />
          <SegmentedSelector
            label={texts.unavailable}
            options={[{ key: 'JPEG' }, { key: 'PNG' }, { key: 'TIFF', isDisabled: true }]}
          />
        </div>
      </Specimen>
      <Specimen title={texts.toggles}>
        <ToggleTooltip mediaUrl={VIDEO} title={texts.faceEnhance} body={texts.faceBody}>
          <Toggle label={texts.faceEnhance} defaultChecked />
        </ToggleTooltip>
        <Toggle label={texts.off} />
        <Toggle label={texts.on} defaultChecked />
        <Toggle label={texts.lockedOff} disabled />
        <Toggle label={texts.lockedOn} disabled defaultChecked />
      </Specimen>
      <Specimen title={texts.sliders}>
        <div className="flex flex-col gap-4">
          <Slider label={texts.strength} min={0} max={100} defaultValue={60} format={(value) => `${value}%`} />
          <Slider label={texts.quality} min={0} max={100} defaultValue={90} format={(value) => `${value}%`} disabled />
        </div>
      </Specimen>
    </>
  );
}

interface FormSpecimensProps {
  readonly texts: Texts;
  readonly received: readonly string[] | null;
  readonly scope: string;
}

const LONG_TOAST_MS = 5000;

export function FormSpecimens({ texts, received, scope }: FormSpecimensProps) {
  const { show } = useToast();
  const fetcher = useFetcher<{ received: string[] }>();
  const id = useId();
  const fields = fetcher.data?.received ?? received;
  return (
    <>
      <Specimen title={texts.form} isWide>
        <SubmitForm method="post" className="flex flex-col gap-4" preventScrollReset>
          <div className="flex flex-col gap-1.5">
            <label htmlFor={id} className="text-sm font-medium">
              {texts.name}
            </label>
            <input id={id} name="name" className="field" />
          </div>
          <SegmentedSelector
            label={texts.mode}
            name={`mode-${scope}`}
            options={[
              { key: 'photos', label: texts.photos },
              { key: 'videos', label: texts.videos },
            ]}
          />
          <Toggle label={texts.faceEnhance} name="face" />
          <div className="flex flex-wrap gap-3">
            <SubmitButton kind="primary">{texts.send}</SubmitButton>
            <SubmitButton kind="quiet" name="flash" value="yes">
              {texts.flash}
            </SubmitButton>
          </div>
        </SubmitForm>
        <SubmitForm fetcher={fetcher} method="post" className="mt-3">
          <input type="hidden" name="by" value="fetcher" />
          <SubmitButton kind="ghost" size="small">
            {texts.send} (fetcher)
          </SubmitButton>
        </SubmitForm>
        {fields && (
          <p className="mt-3 text-sm break-words text-muted" dir="ltr">
            {texts.received} {fields.join(', ')}
          </p>
        )}
      </Specimen>
      <Specimen title={texts.toastsTitle} isWide>
        <div className="flex flex-wrap gap-3 nojs:hidden">
          <Button kind="quiet" size="small" onClick={() => show(texts.copied)}>
            {texts.toast}
          </Button>
          <Button kind="quiet" size="small" onClick={() => show(texts.failed, { kind: 'problem' })}>
            {texts.toastProblem}
          </Button>
          <Button kind="quiet" size="small" onClick={() => show(texts.long, { durationMs: LONG_TOAST_MS })}>
            {texts.toastLong}
          </Button>
        </div>
      </Specimen>
    </>
  );
}
