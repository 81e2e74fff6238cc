import { type ComponentProps, Fragment, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Select, Toggle } from '../../ui/controls/choices';
import type { PictureDetail } from '../../ui/picture/detail';
import { useStage } from '../../ui/stage/stage-context';
import type { PendingChange } from './apply-queue';
import {
  type Choices,
  OUTPUT_SIZES,
  type OutputSize,
  type ToolChoice,
  UPSCALE_FACTORS,
  type UpscaleFactor,
  withTool,
} from './choices';
import { type Enlargement, enlargementsFor, offeredFactor, outputSizesFor } from './enlargement';
import { FilterTool } from './filter-tool';
import { SwitchTool, ToolTooltip } from './tool-control';
import type { MediaDetails, ToolsView, ToolView } from './tools-view';
import type { LooksView } from './use-looks';

interface SectionTabProps {
  readonly tools: readonly ToolView[];
  readonly choices: Choices;
  readonly isSepia: boolean;
  readonly looks: LooksView;
  /** The first face, which retouching changes. */
  readonly face: PictureDetail | null;
  /** A small file of the result. */
  readonly plainUrl: string | null;
  readonly onChange: (choices: Choices) => void;
}

export function SectionTab({ tools, choices, isSepia, looks, face, plainUrl, onChange }: SectionTabProps) {
  const { t } = useTranslation('result');
  return tools.map((tool) => {
    const props = {
      choice: choices.tools[tool.tool],
      onChange: (change: Partial<ToolChoice>) => onChange(withTool(choices, tool.tool, change)),
    };
    if (tool.control === 'switch') {
      const isNeutral = choices.isNeutral && props.choice.model !== null;
      return (
        <Fragment key={tool.tool}>
          <SwitchTool tool={tool} {...props} />
          {tool.tool === 'fade' && (isSepia || isNeutral) && (
            <Toggle
              label={<span className="font-medium">{t('panel.neutral')}</span>}
              name="fadeNeutral"
              value="yes"
              checked={isNeutral}
              onChange={({ target: { checked } }) => {
                const model = props.choice.model ?? tool.models[0]?.model ?? null;
                onChange({ ...withTool(choices, 'fade', { model }), isNeutral: checked });
              }}
            />
          )}
        </Fragment>
      );
    }
    const detail = tool.tool === 'faceLifting' ? face : null;
    return <FilterTool key={tool.tool} tool={tool} {...props} {...{ looks, detail, plainUrl }} />;
  });
}

interface MoreTabProps extends PendingChange {
  readonly originalSize: MediaDetails['originalSize'];
  /** See {@link ToolsView}. */
  readonly maxSide: number;
  readonly originalSizePlan: ToolsView['originalSizePlan'];
  readonly changesUrl: string | null;
  readonly onChange: (change: Partial<PendingChange>) => void;
}

export function MoreTab({ choices, keepLocation, changesUrl, onChange, ...offered }: MoreTabProps) {
  const { originalSize, maxSide, originalSizePlan } = offered;
  return (
    <div className="flex flex-col gap-3">
      <OutputSizes
        {...{ originalSize, maxSide }}
        lockedBy={originalSizePlan}
        chosen={choices.outputSize ?? 'standard'}
        onChange={(outputSize) => onChange({ choices: { ...choices, outputSize } })}
      />
      <Enlarge
        factor={choices.upscale}
        enlargements={enlargementsFor(originalSize, maxSide, choices.outputSize)}
        onChange={(upscale) => onChange({ choices: { ...choices, upscale } })}
      />
      <KeepLocation isOn={keepLocation} onChange={(isOn) => onChange({ keepLocation: isOn })} />
      {changesUrl && <ChangeMap key={changesUrl} url={changesUrl} />}
    </div>
  );
}

function ChangeMap({ url }: { readonly url: string }) {
  const { t } = useTranslation('result');
  const { setOverlay } = useStage();
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    setOverlay(isOn ? url : null);
    return () => setOverlay(null);
  }, [isOn, url, setOverlay]);
  return (
    <div className="nojs:hidden">
      <ToolTooltip of="changes" title={t('panel.changes')}>
        <Toggle
          label={<span className="font-medium">{t('panel.changes')}</span>}
          checked={isOn}
          onChange={(event) => setOn(event.target.checked)}
        />
      </ToolTooltip>
    </div>
  );
}

interface OutputSizesProps extends Pick<MoreTabProps, 'originalSize' | 'maxSide'> {
  readonly lockedBy: ToolsView['originalSizePlan'];
  readonly chosen: OutputSize;
  readonly onChange: (outputSize: OutputSize) => void;
}

/** Only for photos larger than standard results. */
function OutputSizes({ originalSize, maxSide, lockedBy, chosen, onChange }: OutputSizesProps) {
  const { t } = useTranslation('result');
  const sizes = outputSizesFor(originalSize, maxSide);
  if (sizes.length === 0) return null;
  return (
    <SelectRow
      label={t('size')}
      name="outputSize"
      value={chosen}
      onChange={(event) => onChange(OUTPUT_SIZES.find((one) => one === event.target.value) ?? 'standard')}
    >
      {sizes.map(({ outputSize, size }) => {
        const plan = outputSize === 'original' && lockedBy ? t(`panel.plans.${lockedBy}`) : null;
        const parts = [t(`panel.outputSize.${outputSize}`), t('panel.details.pixels', { ...size }), plan];
        return (
          <option key={outputSize} value={outputSize} disabled={plan !== null && chosen !== outputSize}>
            {parts.filter(Boolean).join(' · ')}
          </option>
        );
      })}
    </SelectRow>
  );
}

interface EnlargeProps {
  readonly factor: UpscaleFactor;
  readonly enlargements: readonly Enlargement[];
  readonly onChange: (factor: UpscaleFactor) => void;
}

function Enlarge({ factor, enlargements, onChange }: EnlargeProps) {
  const { t } = useTranslation('result');
  const labelOf = ({ factor: one, size, isCapped }: Enlargement): string => {
    const pixels = size && t('panel.details.pixels', { ...size });
    if (isCapped && pixels) return pixels;
    return [t(`panel.upscale.${one}`), pixels].filter(Boolean).join(' · ');
  };
  return (
    <SelectRow
      label={t('panel.upscale.title')}
      name="upscale"
      value={offeredFactor(factor, enlargements)}
      onChange={(event) => onChange(UPSCALE_FACTORS.find((one) => one === event.target.value) ?? 'auto')}
    >
      {enlargements.map((one) => (
        <option key={one.factor} value={one.factor}>
          {labelOf(one)}
        </option>
      ))}
    </SelectRow>
  );
}

function SelectRow({ label, ...select }: ComponentProps<typeof Select> & { readonly label: string }) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <Select id={id} className="w-56" {...select} />
    </div>
  );
}

interface KeepLocationProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function KeepLocation({ isOn, onChange }: KeepLocationProps) {
  const { t } = useTranslation('result');
  return (
    <ToolTooltip of="keepLocation" title={t('panel.keepLocation')}>
      <Toggle
        label={
          <>
            <span className="block font-medium">{t('panel.keepLocation')}</span>
            <span className="block text-sm text-muted">{t('panel.keepLocationHint')}</span>
          </>
        }
        name="keepLocation"
        value="yes"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
    </ToolTooltip>
  );
}
