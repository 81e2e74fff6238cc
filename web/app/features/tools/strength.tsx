import { useTranslation } from 'react-i18next';
import { Slider } from '../../ui/controls/slider';
import { FULL_STRENGTH, type Tool } from './choices';

interface StrengthProps {
  readonly tool: Tool;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

export function Strength({ tool, value, onChange }: StrengthProps) {
  const { t } = useTranslation('result');
  return (
    <Slider
      className="tool-option pt-2"
      label={t('panel.strength')}
      aria-label={`${t(`panel.tools.${tool}`)}: ${t('panel.strength')}`}
      name={`${tool}Strength`}
      min={0}
      max={FULL_STRENGTH}
      step={5}
      value={value}
      format={(percent) => t('panel.percent', { value: percent / FULL_STRENGTH })}
      onChange={onChange}
    />
  );
}
