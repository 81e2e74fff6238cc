export * from './recipe.js';
export * from './tools.js';
