app_name = "rules"
urlpatterns = []
