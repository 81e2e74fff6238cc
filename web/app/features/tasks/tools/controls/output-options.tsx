import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../../../../ui/controls/select';
import { Toggle } from '../../../../ui/controls/toggle';
import { UPSCALE_FACTORS, type UpscaleFactor } from '../choices/choices';
import { ToolTooltip } from './tool-tooltip';

interface EnlargeProps {
  readonly factor: UpscaleFactor;
  readonly onChange: (factor: UpscaleFactor) => void;
}

export function Enlarge({ factor, onChange }: EnlargeProps) {
  const { t } = useTranslation('result');
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <label htmlFor={id} className="font-medium">
        {t('panel.upscale.title')}
      </label>
      <Select
        id={id}
        name="upscale"
        className="w-44"
        value={factor}
        onChange={(event) => onChange(UPSCALE_FACTORS.find((one) => one === event.target.value) ?? 'auto')}
      >
        {UPSCALE_FACTORS.map((one) => (
          <option key={one} value={one}>
            {t(`panel.upscale.${one}`)}
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
