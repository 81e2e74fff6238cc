import Ban from 'lucide-react/icons/ban';
import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/content/badge';
import { Skeleton } from '../../ui/content/waiting';
import { Detail, type PictureDetail } from '../../ui/picture/detail';
import { CUSTOM_BOKEH } from './choices';
import { Strength, type ToolControlProps, useNames } from './tool-control';
import type { FilterView } from './tools-view';
import type { LooksView } from './use-looks';

interface FilterToolProps extends ToolControlProps<FilterView> {
  readonly looks: LooksView;
  /** What the tool changes, if it is a part of the picture. */
  readonly detail: PictureDetail | null;
  /** The picture as it is: what a look shows that has no picture of its own, as retouching has without a face. */
  readonly plainUrl: string | null;
}

export function FilterTool({ tool: { tool, models }, choice, onChange, looks, detail, plainUrl }: FilterToolProps) {
  const { t } = useTranslation('result');
  const names = useNames();
  const own = choice.model === CUSTOM_BOKEH ? [{ model: CUSTOM_BOKEH, requiredPlan: null }] : [];
  const [plan = null] = models.map(({ requiredPlan }) => requiredPlan);
  return (
    <section className="tool flex flex-col gap-2">
      <fieldset className="min-w-0">
        <legend className="contents">
          <span className="mb-2 flex items-center justify-between gap-2 font-medium">
            {t(`panel.tools.${tool}`)}
            {plan && <Badge variant="business">{names.plan(plan)}</Badge>}
          </span>
        </legend>
        <div className="filters">
          <Filter
            tool={tool}
            value=""
            isChecked={choice.model === null}
            onSelect={() => onChange({ model: null })}
            picture={
              <span className="filter-picture grid place-items-center text-muted nojs:hidden">
                <Ban aria-hidden className="size-6" />
              </span>
            }
          >
            {t('panel.off')}
          </Filter>
          {[...own, ...models].map(({ model, requiredPlan }) => (
            <Filter
              key={model}
              tool={tool}
              value={model}
              isChecked={choice.model === model}
              onSelect={() => onChange({ model })}
              picture={
                <LookPicture
                  url={looks.urls[`${tool}.${model}`] ?? (looks.isPending ? null : plainUrl)}
                  isPending={looks.isPending}
                  detail={detail}
                />
              }
              lock={requiredPlan && `${names.plan(requiredPlan)}, ${t('panel.preview.badge')}`}
            >
              {names.model(tool, model)}
            </Filter>
          ))}
        </div>
      </fieldset>
      <Strength tool={tool} value={choice.strength} onChange={(strength) => onChange({ strength })} />
    </section>
  );
}

interface FilterProps {
  readonly tool: string;
  readonly value: string;
  readonly isChecked: boolean;
  readonly onSelect: () => void;
  readonly picture: ReactNode;
  /** Why it is applied as a preview. */
  readonly lock?: string | null;
  readonly children: ReactNode;
}

function Filter({ tool, value, isChecked, onSelect, picture, lock, children }: FilterProps) {
  return (
    <label className="filter">
      <input type="radio" name={tool} value={value} checked={isChecked} onChange={onSelect} className="filter-input" />
      {picture}
      <span className="max-w-full min-w-0 text-center text-xs break-words hyphens-auto">{children}</span>
      {lock && (
        <>
          <LockKeyhole aria-hidden className="filter-lock" />
          <span className="sr-only">{lock}</span>
        </>
      )}
    </label>
  );
}

interface LookPictureProps {
  readonly url: string | null;
  readonly isPending: boolean;
  readonly detail: PictureDetail | null;
}

/** Named below, so without a text of its own. */
function LookPicture({ url, isPending, detail }: LookPictureProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  if (url !== null && url !== failedUrl) {
    const onError = () => setFailedUrl(url);
    if (detail) return <Detail url={url} {...detail} className="filter-picture nojs:hidden" onError={onError} />;
    return (
      <img
        src={url}
        alt=""
        loading="lazy"
        decoding="async"
        className="filter-picture object-cover nojs:hidden"
        onError={onError}
      />
    );
  }
  if (isPending) return <Skeleton className="filter-picture nojs:hidden" />;
  return <span className="filter-picture nojs:hidden" />;
}
