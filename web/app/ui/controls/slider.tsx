import { type ComponentPropsWithoutRef, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';

interface SliderProps extends Omit<ComponentPropsWithoutRef<'input'>, 'type' | 'value' | 'defaultValue' | 'onChange'> {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly value?: number;
  readonly defaultValue?: number;
  /** Text of the value, shown beside the label and announced. */
  readonly format: (value: number) => string;
  readonly onChange?: (value: number) => void;
}

export function Slider(props: SliderProps) {
  const { label, min, max, value, defaultValue = min, format, onChange, className = '', ...rest } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [uncontrolled, setUncontrolled] = useState(defaultValue);
  const current = value ?? uncontrolled;
  const filled = ((current - min) / (max - min)) * 100;
  // Set by script: the content security policy forbids style attributes.
  useIsomorphicLayoutEffect(() => input.current?.style.setProperty('--filled', `${filled}%`), [filled]);

  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <div className="flex justify-between gap-4 text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <output htmlFor={id} className="text-muted tabular-nums nojs:hidden">
          {format(current)}
        </output>
      </div>
      <input
        ref={input}
        id={id}
        type="range"
        min={min}
        max={max}
        className="slider"
        value={current}
        aria-valuetext={format(current)}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          setUncontrolled(next);
          onChange?.(next);
        }}
        {...rest}
      />
    </div>
  );
}

/** React warns about layout effects on the server. */
const useIsomorphicLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;
