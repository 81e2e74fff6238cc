import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../../ui/controls/select';
import { Toggle } from '../../ui/controls/toggle';
import { UPSCALE_FACTORS, type UpscaleFactor } from './choices';
import { type Enlargement, offeredFactor } from './enlargement';
import { ToolTooltip } from './tool-tooltip';

interface EnlargeProps {
  readonly factor: UpscaleFactor;
  readonly enlargements: readonly Enlargement[];
  readonly onChange: (factor: UpscaleFactor) => void;
}

export function Enlarge({ factor, enlargements, onChange }: EnlargeProps) {
  const { t } = useTranslation('result');
  const id = useId();
  const labelOf = ({ factor: one, size, isCapped }: Enlargement): string => {
    const pixels = size && t('panel.details.pixels', { ...size });
    if (isCapped && pixels) return pixels;
    return [t(`panel.upscale.${one}`), pixels].filter(Boolean).join(' · ');
  };
  return (
    <div className="flex items-center justify-between gap-4">
      <label htmlFor={id} className="font-medium">
        {t('panel.upscale.title')}
      </label>
      <Select
        id={id}
        name="upscale"
        className="w-56"
        value={offeredFactor(factor, enlargements)}
        onChange={(event) => onChange(UPSCALE_FACTORS.find((one) => one === event.target.value) ?? 'auto')}
      >
        {enlargements.map((one) => (
          <option key={one.factor} value={one.factor}>
            {labelOf(one)}
          </option>
        ))}
      </Select>
    </div>
  );
}

interface KeepLocationProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function KeepLocation({ isOn, onChange }: KeepLocationProps) {
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
