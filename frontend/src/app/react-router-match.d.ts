// A copy of react-router's module that holds its matching alone (vite.config.mjs).
declare module 'react-router/match' {
  export { matchRoutes } from 'react-router'
}
