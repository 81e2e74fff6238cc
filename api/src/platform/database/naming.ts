import { snakeCase } from '@clearframe/contract';
import { DefaultNamingStrategy } from 'typeorm';

/** Maps properties to snake_case columns. */
export class SnakeNaming extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined, prefixes: string[]): string {
    return snakeCase([...prefixes, custom ?? property].join('_'));
  }

  override joinColumnName(relation: string, referenced: string): string {
    return snakeCase(`${relation}_${referenced}`);
  }
}
