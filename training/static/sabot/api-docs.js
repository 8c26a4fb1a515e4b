// The API's own page: reads the schema and lets one try it with the session one is signed in with.
const place = document.getElementById("docs");

window.SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  // A deep link would be a link inside a button, which keyboards and screen readers cannot tell apart.
  deepLinking: false,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (new URL(request.url, location.href).origin === location.origin) {
      request.headers["X-CSRFToken"] = place.dataset.csrf;
    }
    return request;
  },
});
